public import ProbeKit
import ProbeNet
public import ProbeRun

/// Probes one target of a scan: finds its addresses if needed, waits for its turn, asks the backends.
public struct ScanProbe: Sendable {
    private let prober: Prober
    private let transports: [any Transport]
    private let resolvers: [any Resolver]
    private let addresses: AddressChoice
    private let limiter: RateLimiter?
    private let isClosed: @Sendable () -> Bool
    private let terms: String?
    private let format: ScanFormat
    private let check: @Sendable (ScanTarget, _ timeout: Duration?) -> Check
    /// The number of further tries at a target that gave no answer.
    var retries: Int

    /// Creates the probe of a scan.
    ///
    /// - Parameters:
    ///   - transports: each has a line of its own for a target.
    ///   - resolvers: those that are asked for the checks' allow-lists of models.
    ///   - addresses: the addresses of a name that are dialled.
    ///   - limiter: keeps probes of one address apart; nil does not.
    ///   - retries: the number of further tries at a target that gave no answer.
    ///   - terms: an identifier of the settings by which targets are judged, for lines that a later scan goes on with.
    ///   - format: the form of the lines.
    ///   - isClosed: returns true if no work may begin any more, not even queued work: that of the scan's ``ScanSlots``.
    ///   - check: returns the check of a target, with its time limit or, if that is not nil, with the time that is left to it.
    public init(
        prober: Prober = Prober(), transports: [any Transport], resolvers: [any Resolver] = [],
        addresses: AddressChoice = AddressChoice(), limiter: RateLimiter? = nil, retries: Int = 0, terms: String? = nil,
        format: ScanFormat = .json, isClosed: @escaping @Sendable () -> Bool,
        check: @escaping @Sendable (ScanTarget, _ timeout: Duration?) -> Check
    ) {
        self.prober = prober
        self.transports = transports
        self.resolvers = resolvers
        self.addresses = addresses
        self.limiter = limiter
        self.retries = retries
        self.terms = terms
        self.format = format
        self.isClosed = isClosed
        self.check = check
    }

    /// The number of times that a target which met our own lateness is asked again.
    private static let furtherAttempts = 2
    /// Waits before a target is asked again.
    var pause: @Sendable (_ attempt: Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }

    /// Returns the lines of a target's results, and their outcomes; nil if its turn did not come before the scan's end.
    func lines(of target: ScanTarget) async -> (texts: [String], outcomes: [Outcome])? {
        guard let found = await results(of: target) else { return nil }
        return lines(isLate(found) ? await again(after: found, of: target) : found, of: target)
    }

    @inline(never) private func isLate(_ results: [(dialled: Endpoint?, result: ProbeResult)]) -> Bool {
        results.contains { $0.result.verdict.outcome == .localOverload }
    }

    /// Asks a target again that met our own lateness. Not inlined: its variables would be part of the memory of every target that
    /// waits.
    @inline(never) private func again(
        after first: [(dialled: Endpoint?, result: ProbeResult)], of target: ScanTarget
    ) async -> [(dialled: Endpoint?, result: ProbeResult)] {
        var found = first
        for attempt in 1...Self.furtherAttempts {
            let results = found
            guard isLate(results), !isClosed() else { break }
            // By then there is less to do at once.
            await pause(attempt)
            guard var again = await self.results(of: target) else { break }
            for index in again.indices {
                again[index].result.tries += index < results.count ? results[index].result.tries : attempt
            }
            found = again
        }
        return found
    }

    /// Returns the line of an item of the list that names no target.
    func line(of malformed: MalformedTarget) -> String {
        format.line(malformed)
    }

    @inline(never) private func lines(
        _ results: [(dialled: Endpoint?, result: ProbeResult)], of target: ScanTarget
    ) -> (texts: [String], outcomes: [Outcome]) {
        let (id, certificate) = (target.id.hex, target.clientCertificate)
        let texts = results.enumerated().map { index, found in
            let place = ScanLine.Place(
                id: id, line: target.line, dialled: found.dialled?.description, result: index + 1,
                results: results.count, isRetry: target.earlier != nil, terms: terms, clientCertificate: certificate)
            return format.line(found.result, place)
        }
        return (texts, results.map(\.result.verdict.outcome))
    }

    @inline(never) private func results(of target: ScanTarget) async -> [(dialled: Endpoint?, result: ProbeResult)]? {
        let whole = check(target, nil)
        guard addresses.isLeftToTransports else { return await partResults(of: whole) }
        let host = whole.target.endpoint.host
        if case .dns(let name) = host, limiter != nil { return await results(of: target, whole, at: name) }
        guard await hasTurn([host]) else { return nil }
        return await probe(whole, at: [host])
    }

    /// Returns the results of a target that is named, whose addresses have to have their turn. Not inlined, so that
    /// others keep no memory for its variables.
    @inline(never) private func results(
        of target: ScanTarget, _ whole: Check, at name: String
    ) async -> [(dialled: Endpoint?, result: ProbeResult)]? {
        // The lookup is part of the target's time; waiting for one's turn is not.
        let deadline = Deadline.after(whole.timeout)
        let addresses = (try? await self.addresses.lookup.addresses(of: name, by: deadline).get()) ?? []
        let left = deadline.remaining
        // Any of them may be dialled. A name without addresses is the transports' to report.
        let hosts = addresses.isEmpty ? [.dns(name)] : addresses.map(ServerName.ip)
        guard await hasTurn(hosts) else { return nil }
        return await probe(check(target, left), at: hosts)
    }

    /// Returns the results of a target's parts, several at a time, in their order. Not inlined, so that others keep
    /// no memory for its variables.
    @inline(never) private func partResults(
        of whole: Check
    ) async -> [(dialled: Endpoint?, result: ProbeResult)]? {
        let lanes = lanes(of: await addresses.parts(of: whole))
        return inOrder(await Concurrently.map(lanes) { await results(of: $0) })
    }

    /// Returns the parts, with their places, divided among those that are probed at once.
    @inline(never) private func lanes(of parts: [Check]) -> [[(place: Int, check: Check)]] {
        let count = min(AddressChoice.atOnce, parts.count)
        return (0..<count).map { lane in
            stride(from: lane, to: parts.count, by: count).map { (place: $0, check: parts[$0]) }
        }
    }

    /// Returns the results of all lanes in the order of their parts; nil if one of them did not have its turn.
    @inline(never) private func inOrder(
        _ lanes: [[(place: Int, results: [(dialled: Endpoint?, result: ProbeResult)])]?]
    ) -> [(dialled: Endpoint?, result: ProbeResult)]? {
        guard !lanes.contains(where: { $0 == nil }) else { return nil }
        return lanes.compactMap(\.self).flatMap(\.self).sorted { $0.place < $1.place }.flatMap(\.results)
    }

    /// Returns the results of some parts of a target, one after the other. Each may take an equal part of the
    /// remaining time, so that silent ones leave time for the others; waiting for a turn does not count.
    private func results(
        of parts: [(place: Int, check: Check)]
    ) async -> [(place: Int, results: [(dialled: Endpoint?, result: ProbeResult)])]? {
        var deadline = Deadline.after(parts.first?.check.timeout ?? .zero)
        var found: [(place: Int, results: [(dialled: Endpoint?, result: ProbeResult)])] = []
        for (place, check) in parts {
            let began = ContinuousClock.now
            let hosts = check.targets.map(\.endpoint.host)
            guard await hasTurn(hosts) else { return nil }
            deadline = Deadline(at: deadline.instant + began.duration(to: .now))
            let part = deadline.remaining / (parts.count - found.count)
            found.append((place, await probe(check.within(part), at: hosts)))
        }
        return found
    }

    /// Waits until all of the hosts may be dialled; false if the scan ends before.
    private func hasTurn(_ hosts: [ServerName]) async -> Bool {
        guard let limiter else { return true }
        await limiter.turn(for: hosts.map(\.description))
        return !isClosed()
    }

    /// Probes a target, whose hosts have had their turn, and have another before each further try.
    private func probe(_ check: Check, at hosts: [ServerName]) async -> [(dialled: Endpoint?, result: ProbeResult)] {
        // A server that met our own lateness is asked again when there is less to do.
        let results = await prober.probe(
            check, through: transports, resolvers: resolvers, retries: retries,
            where: { $0.hasNoAnswer && $0.outcome != .localOverload },
            pause: { [limiter] retry in
                await Prober.pause(retry)
                await limiter?.turn(for: hosts.map(\.description))
            })
        return placed(results, check)
    }

    /// Returns results with the place that each of them dialled.
    @inline(never) private func placed(
        _ results: [ProbeResult], _ check: Check
    ) -> [(dialled: Endpoint?, result: ProbeResult)] {
        results.map { ($0.part == nil ? $0.dialled ?? check.target.connect : $0.dialled, $0) }
    }
}
