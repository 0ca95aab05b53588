public import ProbeKit

extension Prober {
    /// Probes one target end to end, and asks again the transports that learned nothing about it: it was unreachable, did not
    /// answer in time or went away, or this machine had too much to do. What has a verdict keeps it.
    ///
    /// - Parameters:
    ///   - retries: the most times that is asked again; each may take the check's whole time.
    ///   - isAskedAgain: returns true for a verdict that another try may contradict.
    ///   - pause: waits before each.
    public func probe(
        _ check: Check, through transports: [any Transport], resolvers: [any Resolver], retries: Int,
        where isAskedAgain: @Sendable (Verdict) -> Bool = \.hasNoAnswer,
        pause: @Sendable (_ retry: Int) async -> Void = Self.pause
    ) async -> [ProbeResult] {
        let results = await probe(check, through: transports, resolvers: resolvers)
        return retries == 0
            ? results
            : await probe(
                check, after: results, through: transports, resolvers: resolvers, retries: retries, where: isAskedAgain,
                pause: pause)
    }

    @inline(never) private func probe(
        _ check: Check, after first: [ProbeResult], through transports: [any Transport], resolvers: [any Resolver],
        retries: Int, where isAskedAgain: (Verdict) -> Bool, pause: (_ retry: Int) async -> Void
    ) async -> [ProbeResult] {
        var results = first
        for retry in stride(from: 1, through: retries, by: 1) {
            let each = transports.isEmpty ? 0 : results.count / transports.count
            guard each > 0 else { break }
            let places = transports.indices.filter { place in
                results[place * each..<(place + 1) * each].contains { isAskedAgain($0.verdict) }
            }
            guard !places.isEmpty, !Task.isCancelled else { break }
            await pause(retry)
            let again = await probe(check, through: places.map { transports[$0] }, resolvers: resolvers)
            replace(&results, by: again, at: places, each: each, tries: retry + 1, where: isAskedAgain)
        }
        return results
    }

    @inline(never) private func replace(
        _ results: inout [ProbeResult], by again: [ProbeResult], at places: [Int], each: Int, tries: Int,
        where isAskedAgain: (Verdict) -> Bool
    ) {
        for (index, place) in places.enumerated() {
            for offset in 0..<each where isAskedAgain(results[place * each + offset].verdict) {
                results[place * each + offset] = again[index * each + offset]
                results[place * each + offset].tries = tries
            }
        }
    }

    /// Waits a second before the first retry, and twice as long before each further one, up to half a minute.
    public static let pause: @Sendable (_ retry: Int) async -> Void = { retry in
        try? await Task.sleep(for: .seconds(min(30, 1 << min(retry - 1, 5))))
    }
}

extension Verdict {
    /// True if nothing was learned that another try could contradict.
    public var hasNoAnswer: Bool {
        [.unreachable, .handshakeFailed, .localOverload].contains(outcome) && outcomeClass == .transient
    }
}
