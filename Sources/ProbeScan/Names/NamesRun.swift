public import ProbeKit
import ProbeReport
public import ProbeRun
import Synchronization

/// The allow-lists of many names: passes them to the resolvers, some at a time, and writes their results as they come.
///
/// A run is for one list, as a ``ScanRun`` is. ``ScanSlots/close()`` ends it early, after the names in progress.
public final class NamesRun: Sendable {
    private let prober: Prober
    private let check: ModelCheck
    private let resolvers: [any Resolver]
    private let timeout: Duration
    private let output: any LineSink
    private let slots: ScanSlots
    private let batchSize: Int
    private let state = Mutex(State())

    private struct State {
        var tally = ScanTally()
        /// The number of batches that were begun and not yet written.
        var open = 0
        var isListDone = false
        var isSealed = false
    }

    /// The most names that are asked together: as many as share a socket.
    public static let batchSize = 64

    /// Creates a run that has not begun.
    ///
    /// - Parameters:
    ///   - prober: asks and judges.
    ///   - check: what is asked about each name; its own hosts are not.
    ///   - resolvers: each is asked about each name.
    ///   - timeout: the time for one batch of names through one resolver.
    ///   - output: takes the lines; those of one batch together.
    ///   - slots: the number of batches in progress at once.
    ///   - batchSize: the number of names in one batch.
    public init(
        _ prober: Prober, _ check: ModelCheck, through resolvers: [any Resolver], timeout: Duration,
        to output: any LineSink, slots: ScanSlots, batchSize: Int = NamesRun.batchSize
    ) {
        self.prober = prober
        self.check = check
        self.resolvers = resolvers
        self.timeout = timeout
        self.output = output
        self.slots = slots
        self.batchSize = batchSize
    }

    /// The counts so far.
    public var tally: ScanTally { state.withLock { $0.tally } }

    /// Ends the run and returns its result: nothing is written after this.
    public func seal() -> ScanRun.Result {
        state.withLock { state in
            state.isSealed = true
            return ScanRun.Result(tally: state.tally, isComplete: state.isListDone && state.open == 0)
        }
    }

    /// Works to the end of the list, or until no work may begin any more; then to the end of the work in progress.
    ///
    /// - Throws: `InputError` for a list that can't be read any further, after all names before that.
    public func run(_ source: NameSource) async throws(InputError) {
        var failure: InputError?
        await withDiscardingTaskGroup { group in
            do throws(InputError) {
                while !slots.isClosed {
                    let batch = try await source.next(batchSize)
                    guard !batch.isEmpty else {
                        state.withLock { $0.isListDone = true }
                        break
                    }
                    guard let ticket = await slots.enter() else { break }
                    state.withLock { $0.open += 1 }
                    group.addTask { [self] in
                        await work(batch)
                        slots.leave(ticket)
                    }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func work(_ batch: NameSource.Batch) async {
        let names = batch.names.map(\.name)
        let answers = await Concurrently.map(resolvers) { [self] resolver in
            await prober.probe(check, names: names, through: resolver, timeout: timeout)
        }
        var lines: [String] = []
        var outcomes: [[Outcome]] = []
        for (index, name) in batch.names.enumerated() {
            let id = name.id.hex
            outcomes.append(answers.map { $0[index].verdict.outcome })
            for (number, results) in answers.enumerated() {
                let place = ScanLine.Place(
                    id: id, line: name.line, dialled: nil, result: number + 1, results: answers.count, isRetry: false,
                    terms: nil)
                lines.append(ScanLine(report: ReportLine(results[index]), place: place).json)
            }
        }
        lines += batch.malformed.map { JSONText.line(MalformedLine($0)) }
        await write(lines, outcomes, malformed: batch.malformed.count)
    }

    /// Writes the lines of a batch and counts them, both or neither: the manifest describes the lines before it.
    private func write(_ lines: [String], _ outcomes: [[Outcome]], malformed: Int) async {
        await withCheckedContinuation { continuation in
            let isSealed = state.withLock { state in
                guard !state.isSealed else { return true }
                for each in outcomes { state.tally.add(each) }
                for _ in 0..<malformed { state.tally.addMalformed() }
                state.open -= 1
                output.enqueue(lines) { continuation.resume() }
                return false
            }
            if isSealed { continuation.resume() }
        }
    }
}
