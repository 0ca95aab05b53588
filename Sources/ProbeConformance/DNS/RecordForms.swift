import ProbeDNS
package import ProbeKit
import ProbeLab

/// The right list beside a record of every type whose form is known, well-formed and malformed, in every section: a
/// reply has the same outcome with every resolver.
package enum RecordForms: Sendable {
    /// One reply.
    package struct Case: Sendable, CustomStringConvertible {
        /// The name it is served for, and the fault of its record: `caa-cut-answer`.
        package let description: String
        /// The expected outcome with every resolver: ``Outcome/pass`` if our own reader finds no fault, else
        /// ``Outcome/dnsIndeterminate``.
        package let expected: Outcome
        let name: DNSName
        let message: LabDNSMessage
    }

    /// All of them.
    package static let all: [Case] = (DNSRecordForm.fields.keys.sorted() + strangers).flatMap { type in
        let data = LabDNSRecord.sample(of: type)
        let spoiled: [(String, [UInt8])] = [
            ("whole", data), ("empty", []), ("cut", data.dropLast()), ("longer", data + [0xff]),
            ("full", data.map { _ in 0xff }),
        ]
        return spoiled.flatMap { spoil, data in
            ["answer", "authority", "additional"].compactMap { section in
                item(
                    "\(DNSType.name(type).lowercased())-\(spoil)-\(section)",
                    LabDNSRecord(
                        owner: .lab("beside", "test"), type: type, data: data), section)
            }
        }
    }

    /// Types of questions and transactions, two whose form libraries disagree on, and an unassigned one.
    private static let strangers: [UInt16] = [23, 40, 128, 249, 250, 251, 252, 255, 65280]

    private static func item(_ label: String, _ record: LabDNSRecord, _ section: String) -> Case? {
        let list = LabDNSMessage(answers: [.txt("dc,florida")])
        let message = list.with { message in
            switch section {
            case "answer": message.answers.append(record)
            case "authority": message.authorities.append(record)
            default: message.options = .records([record, .opt()])
            }
        }
        let name = DNSName.lab(label, "test")
        let query = DNSQueryMessage.bytes(name: name, id: 0, ednsSize: DNSQuery.defaultEDNSSize)
        guard let asked = LabDNSQuery(query, over: .tcp, from: 53) else { return nil }
        let reading = TXTReader.read(message.wireBytes(to: asked), id: 0, name: name)
        let isRead = if case .records = reading { true } else { false }
        return Case(description: label, expected: isRead ? .pass : .dnsIndeterminate, name: name, message: message)
    }

    /// Asks for all of them through a resolver, and returns the differences.
    ///
    /// - Throws: an error of the lab, when the servers could not be started.
    package static func failures(with resolver: any Resolver) async throws -> [String] {
        let zone = LabDNSZone(Dictionary(uniqueKeysWithValues: all.map { ($0.name, .reply($0.message)) }))
        guard resolver.capabilities.contains(.chosenServers) else {
            return try await LabDoHServer.run(zone, pki: DNSScenario.pki) { server in
                try await failures(with: resolver, servers: [], https: [try server.server(.post)])
            }
        }
        return try await LabDNSServer.run(zone) { server in
            try await failures(with: resolver, servers: [server.endpoint], https: [])
        }
    }

    private static func failures(
        with resolver: any Resolver, servers: [Endpoint], https: [DoHServer]
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String?.self) { group in
            var waiting = all[...]
            for item in waiting.prefix(8) { group.addTask { try await failure(item, resolver, servers, https) } }
            waiting = waiting.dropFirst(8)
            var failures: [String] = []
            while let failure = try await group.next() {
                if let failure { failures.append(failure) }
                if let item = waiting.popFirst() {
                    group.addTask { try await self.failure(item, resolver, servers, https) }
                }
            }
            return failures
        }
    }

    /// Asks for one, again if it failed while this process was late.
    private static func failure(
        _ item: Case, _ resolver: any Resolver, _ servers: [Endpoint], _ https: [DoHServer]
    ) async throws -> String? {
        try await Replay(timeout: .seconds(20), isAboutTime: false) { _ in }.run { limit in
            let (reading, lost) = await Replay.measured {
                let query = DNSQuery(
                    name: item.name, servers: servers, httpsServers: https, tries: 1,
                    instant: https.isEmpty ? nil : DNSScenario.pki.epoch, deadline: .after(limit))
                return ModelReading(
                    await resolver.resolve(query), name: item.name, model: try? ModelName("florida"))
            }
            let outcome = reading.outcome
            let failure =
                outcome == item.expected
                ? nil : "\(item) comes to \(item.expected.rawValue); \(resolver.name): \(reading)"
            return Replay.Played(failure, outcome, failure: failure, lost: lost)
        }
    }
}
