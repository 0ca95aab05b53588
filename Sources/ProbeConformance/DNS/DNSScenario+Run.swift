public import ProbeKit
import ProbeLab

extension DNSScenario {
    /// All of them, by topic.
    public static let all = lists + transport + codes + aliases + forgeries

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

    private func ask(_ endpoints: [Endpoint], through resolver: any Resolver) async throws -> Result {
        let model = try ModelName(model)
        let start = ContinuousClock.now
        let query = DNSQuery(
            name: Self.name, servers: endpoints, ednsSize: ednsSize, tries: tries, deadline: .after(timeout))
        let report = await resolver.resolve(query)
        let elapsed = start.duration(to: .now)
        let reading = ModelReading(report, name: Self.name, model: model, strings: strings)
        return Result(reading: reading, report: report, duration: elapsed, failure: failure(reading, elapsed))
    }

    private func failure(_ reading: ModelReading, _ elapsed: Duration) -> String? {
        let promise = "\(id) promises \(expected.rawValue): \(sentence) [\(source)]"
        guard reading.outcome == expected else { return "\(promise) Seen: \(reading.outcome.rawValue), \(reading)" }
        if let expectedCode {
            guard case .indeterminate(let doubt) = reading, doubt.code == expectedCode else {
                return "\(promise) The code is to be \(expectedCode). Seen: \(reading)"
            }
        }
        if let duration, !duration.contains(elapsed) {
            return "\(promise) It is to take \(duration.lowerBound) to \(duration.upperBound). Seen: \(elapsed)"
        }
        return nil
    }
}
