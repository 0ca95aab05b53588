import ProbeKit

/// One watched check during a watch: the state of its subjects, and their next times.
struct WatchItem {
    struct Subject {
        let subject: WatchSubject
        /// Positions among the check's backends.
        let transport: Int?
        let resolver: Int?
        var status: WatchStatus?
        /// Transient failures in a row, in this round and those before it that a wait cut short.
        var failures = 0
        /// The time of the next probe; nil is never.
        var due: ContinuousClock.Instant?
    }

    let check: WatchedCheck
    var subjects: [Subject]
    /// The baseline of each connection when it was last good.
    var baselines: [String: Baseline] = [:]
    /// The expiry notices that were reported.
    var announced: Set<String> = []
    private var round = 0
    /// The start of the next round.
    private var nextRound: ContinuousClock.Instant
    /// The time until which the server asked not to be asked.
    private var heldUntil: ContinuousClock.Instant

    init(_ check: WatchedCheck, start: ContinuousClock.Instant) {
        self.check = check
        (nextRound, heldUntil) = (start, start)
        let resolvers: [Int?] = check.resolvers.isEmpty ? [nil] : check.resolvers.indices.map(\.self)
        let transports: [Int?] = check.check == nil ? [nil] : check.transports.indices.map(\.self)
        let pairs = transports.flatMap { transport in resolvers.map { (transport, $0) } }
        subjects = zip(check.subjects, pairs).map {
            Subject(subject: $0, transport: $1.0, resolver: $1.1, due: start)
        }
    }

    /// The time at which the first of the subjects is due.
    var due: ContinuousClock.Instant? { subjects.compactMap(\.due).min() }

    /// Returns the subjects that are due, by position.
    func due(at now: ContinuousClock.Instant) -> [Int] {
        subjects.indices.filter { index in subjects[index].due.map { $0 <= now } ?? false }
    }

    /// Returns the visit to these subjects.
    func visit(_ due: [Int]) -> WatchVisit {
        WatchVisit(
            check: check, transports: Set(due.compactMap { subjects[$0].transport }).sorted(),
            resolvers: Set(due.compactMap { subjects[$0].resolver }).sorted(), baselines: baselines)
    }

    /// Begins a round, if one is due, and resets the count of failures if all tries of the last one could be made.
    mutating func beginRound(at now: ContinuousClock.Instant, period: Duration, rounds: Int?) {
        guard nextRound <= now, !isLastRound(of: rounds) else { return }
        round += 1
        // A try that was put off until now is still one of the last round: otherwise a stack that is always late would never be
        // reported, where the server asks for a wait each time.
        if !isPutOff { for index in subjects.indices { subjects[index].failures = 0 } }
        nextRound = now + period
    }

    /// True if the server asked for a wait that lasts until the next round.
    private var isPutOff: Bool { nextRound == heldUntil }

    /// Leaves the server alone until a moment that it asked for: through every stack, also those that were not asked now
    /// (requirement 77).
    mutating func hold(until moment: ContinuousClock.Instant) {
        heldUntil = max(heldUntil, moment)
        nextRound = max(nextRound, moment)
        for index in subjects.indices { subjects[index].due = subjects[index].due.map { max($0, moment) } }
    }

    /// Sets the time of a subject's next probe.
    ///
    /// - Parameters:
    ///   - status: what was seen of it now.
    ///   - isTerminal: true if there is none.
    mutating func reschedule(
        _ index: Int, _ status: WatchStatus, isTerminal: Bool, at now: ContinuousClock.Instant,
        _ settings: WatchSettings
    ) {
        let isTransient = status.outcomeClass == .transient
        subjects[index].failures = isTransient ? subjects[index].failures + 1 : 0
        let failures = subjects[index].failures
        var due: ContinuousClock.Instant? = isLastRound(of: settings.rounds) ? nil : nextRound
        if isTransient, triesAgain(index, settings) {
            let retry = max(now + settings.wait(afterFailure: failures), heldUntil)
            due = min(retry, due ?? retry)
        }
        subjects[index].due = isTerminal ? nil : due
    }

    /// Returns true if a subject that failed transiently is probed again in this round.
    private func triesAgain(_ index: Int, _ settings: WatchSettings) -> Bool {
        subjects[index].failures < settings.tries
    }

    /// Returns true if a subject that failed transiently has another try before the next round begins, or with it because the server
    /// asked for a wait.
    func isDueInRound(_ index: Int, _ settings: WatchSettings) -> Bool {
        guard triesAgain(index, settings), let due = subjects[index].due else { return false }
        return isLastRound(of: settings.rounds) || due < nextRound || isPutOff
    }

    private func isLastRound(of rounds: Int?) -> Bool { rounds.map { round >= $0 } ?? false }
}
