public import ProbeKit
import ProbeLab

extension DNSScenario {
    /// All of them, by topic.
    public static let all = lists + transport + codes + aliases + forgeries + signatures

    /// What came out of a scenario.
    public struct Result: Sendable {
        /// The reading.
        public let reading: ModelReading
        /// What the resolver reported.
        public let report: DNSReport
        /// How long it took.
        public let duration: Duration
        /// How the promise was broken, with what was seen; nil where it was kept.
        public let failure: String?
    }

    /// Starts the servers, asks through `resolver`, and compares what comes out with what is promised.
    ///
    /// - Parameters:
    ///   - resolver: who is asked.
    /// - Throws: ``InputError`` or an error of the lab, when the scenario itself could not be played.
    public func run(with resolver: any Resolver) async throws -> Result {
        var running: [LabDNSServer] = []
        do {
            for server in servers {
                running.append(try await LabDNSServer.start(server.zone, listening: server.listening))
            }
            let result = try await ask(running.map(\.endpoint), through: resolver)
            for server in running { await server.stop() }
            return result
        } catch {
            for server in running { await server.stop() }
            throw error
        }
    }

    /// Whether a resolver claims all that the question needs. One that does not is never asked it: the prober refuses.
    public func isAsked(of resolver: any Resolver) -> Bool {
        query(to: []).requiredCapabilities.isSubset(of: resolver.capabilities)
    }

    private func query(to servers: [Endpoint]) -> DNSQuery {
        DNSQuery(
            name: Self.name, servers: servers, ednsSize: ednsSize, tries: tries, dnssec: dnssec, anchors: anchors,
            instant: instant, deadline: .after(timeout))
    }

    private func ask(
        _ endpoints: [Endpoint], through resolver: any Resolver
    ) async throws -> Result {
        let model = try ModelName(model)
        let start = ContinuousClock.now
        let report = await resolver.resolve(query(to: endpoints))
        let elapsed = start.duration(to: .now)
        let reading = ModelReading(report, name: Self.name, model: model, strings: strings, dnssec: dnssec)
        let seen = Seen(
            reading: reading, elapsed: elapsed,
            comparesCode: dnssec != .off || resolver.capabilities.contains(.failureReasons))
        let failure =
            if let exemption = exemptions[resolver.identity.name] {
                failure(seen, exemption, of: resolver.identity.name)
            } else {
                failure(seen)
            }
        return Result(reading: reading, report: report, duration: elapsed, failure: failure)
    }

    /// What is compared with the promise.
    private struct Seen {
        let reading: ModelReading
        let elapsed: Duration
        let comparesCode: Bool

        /// Whether an indeterminate reading has this code, where that counts.
        func hasCode(_ code: String?) -> Bool {
            guard comparesCode, let code, reading.outcome == .dnsIndeterminate else { return true }
            guard case .indeterminate(let doubt) = reading else { return false }
            return doubt.code == code
        }
    }

    private func failure(_ seen: Seen) -> String? {
        let promise = "\(id) promises \(expected.rawValue): \(sentence) [\(source)]"
        guard seen.reading.outcome == expected else {
            return "\(promise) Seen: \(seen.reading.outcome.rawValue), \(seen.reading)"
        }
        guard seen.hasCode(expectedCode) else {
            return "\(promise) The code is to be \(expectedCode ?? "any"). Seen: \(seen.reading)"
        }
        if let duration, !duration.contains(seen.elapsed) {
            return "\(promise) It is to take \(duration.lowerBound) to \(duration.upperBound). Seen: \(seen.elapsed)"
        }
        return nil
    }

    private func failure(_ seen: Seen, _ exemption: Exemption, of backend: String) -> String? {
        let exempted = "\(id) exempts \(backend): \(exemption.reason)"
        guard failure(seen) != nil else { return "\(exempted) Yet it keeps the promise: the exemption is stale." }
        guard exemption.outcomes.contains(seen.reading.outcome) else {
            return "\(exempted) Not allowed even so: \(seen.reading.outcome.rawValue), \(seen.reading)"
        }
        guard seen.hasCode(exemption.code) else {
            return "\(exempted) The code is to be \(exemption.code ?? "any"). Seen: \(seen.reading)"
        }
        return nil
    }
}
