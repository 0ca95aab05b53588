import ProbeKit
import ProbeNet
import ProbeReport
import ProbeRun

/// Probes one target of a scan: finds its addresses if needed, waits for its turn, asks the backends.
struct ScanProbe: Sendable {
    let prober: Prober
    let transports: [any Transport]
    let resolvers: [any Resolver]
    let lookup: HostLookup
    /// Keeps probes of one address apart; nil does not.
    let limiter: RateLimiter?
    /// Returns true if no work may begin any more, not even queued work.
    let isClosed: @Sendable () -> Bool
    /// True if every address of a name is probed, and not only the first that answers.
    let allAddresses: Bool
    /// The number of further tries at a target that gave no answer.
    var retries = 0
    /// The form of the lines, JSON or CSV.
    var format = OutputFormat.json
    /// Returns the check of a target, with its time limit.
    let check: @Sendable (ScanTarget, _ dialling: Endpoint?, _ timeout: Duration?) -> Check

    /// The number of addresses of one name probed at once.
    static let addressesAtOnce = 8
    /// The number of times that a target which met our own lateness is asked again.
    private static let furtherAttempts = 2
    /// Waits before a target is asked again.
    var pause: @Sendable (_ attempt: Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }

    /// Returns the lines of a target's results, and their outcomes; nil if its turn did not come before the scan's end.
    func lines(of target: ScanTarget) async -> (texts: [String], outcomes: [Outcome])? {
        var found = await results(of: target)
        for attempt in 1...Self.furtherAttempts {
            guard let results = found, results.contains(where: { $0.result.verdict.outcome == .localOverload }),
                !isClosed()
            else { break }
            // By then there is less to do at once.
            await pause(attempt)
            found = await self.results(of: target) ?? found
        }
        guard let found else { return nil }
        return lines(found, of: target)
    }

    /// Returns the line of an item of the list that names no target.
    func line(of malformed: MalformedTarget) -> String {
        let line = MalformedLine(malformed)
        return format == .csv ? ScanCSV.line(line) : JSONText.line(line)
    }

    private func lines(
        _ results: [(dialled: Endpoint?, result: ProbeResult)], of target: ScanTarget
    ) -> (texts: [String], outcomes: [Outcome]) {
        let id = target.id.hex
        let texts = results.enumerated().map { index, found in
            let place = ScanLine.Place(
                id: id, line: target.line, dialled: found.dialled?.description, result: index + 1,
                results: results.count, isRetry: target.earlier != nil)
            return format == .csv
                ? ScanCSV.line(found.result, place)
                : ScanLine(report: ReportLine(found.result), place: place).json
        }
        return (texts, results.map(\.result.verdict.outcome))
    }

    private func results(of target: ScanTarget) async -> [(dialled: Endpoint?, result: ProbeResult)]? {
        let whole = check(target, nil, nil)
        guard case .dns(let name) = whole.target.endpoint.host, allAddresses || limiter != nil else {
            guard await hasTurn([whole.target.endpoint.host]) else { return nil }
            return await probe(whole)
        }
        return await results(of: target, whole, name)
    }

    /// Returns the results of a target whose addresses are to be known before it is probed.
    private func results(
        of target: ScanTarget, _ whole: Check, _ name: String
    ) async -> [(dialled: Endpoint?, result: ProbeResult)]? {
        let endpoint = whole.target.endpoint
        // The lookup is part of the target's time; waiting for one's turn is not.
        let deadline = Deadline.after(whole.timeout)
        let addresses = (try? await lookup.addresses(of: name, by: deadline).get()) ?? []
        let left = deadline.remaining
        guard allAddresses, !addresses.isEmpty else {
            // Any of them may be dialled. A name without addresses is the transports' to report.
            guard await hasTurn(addresses.isEmpty ? [endpoint.host] : addresses.map(ServerName.ip)) else { return nil }
            return await probe(check(target, nil, left))
        }
        let lanes = min(Self.addressesAtOnce, addresses.count)
        let found = await Concurrently.map(Array(0..<lanes)) { lane in
            let part = stride(from: lane, to: addresses.count, by: lanes).map { (place: $0, address: addresses[$0]) }
            return await results(of: target, at: part, port: endpoint.port, within: left)
        }
        guard !found.contains(where: { $0 == nil }) else { return nil }
        return found.compactMap(\.self).flatMap(\.self).sorted { $0.place < $1.place }.flatMap(\.results)
    }

    /// Returns the results of some addresses of a target, one after the other. Each may take an equal part of the
    /// remaining time, so that silent ones leave time for the others; waiting for a turn does not count.
    private func results(
        of target: ScanTarget, at addresses: [(place: Int, address: IPAddress)], port: UInt16, within left: Duration
    ) async -> [(place: Int, results: [(dialled: Endpoint?, result: ProbeResult)])]? {
        var deadline = Deadline.after(left)
        var found: [(place: Int, results: [(dialled: Endpoint?, result: ProbeResult)])] = []
        for (place, address) in addresses {
            let began = ContinuousClock.now
            guard await hasTurn([.ip(address)]) else { return nil }
            deadline = Deadline(at: deadline.instant + began.duration(to: .now))
            let part = deadline.remaining / (addresses.count - found.count)
            found.append(
                (place, await probe(check(target, Endpoint(host: .ip(address), port: port), part))))
        }
        return found
    }

    /// Waits until all of the hosts may be dialled; false if the scan ends before.
    private func hasTurn(_ hosts: [ServerName]) async -> Bool {
        guard let limiter else { return true }
        await limiter.turn(for: hosts.map(\.description))
        return !isClosed()
    }

    private func probe(_ check: Check) async -> [(dialled: Endpoint?, result: ProbeResult)] {
        let results = await prober.probe(check, through: transports, resolvers: resolvers, retries: retries)
        return results.map { (check.target.connect, $0) }
    }
}
