import ProbeKit
import ProbePins

/// The facts of a connection that are worth comparing, with the meaning of a difference in each.
enum ConnectionFacts {
    /// Facts that depend on the client's offer: a difference does not contradict anything about the server.
    static let choices: Set<String> = ["version", "cipher-suite", "group", "alpn", "address"]

    static func all(_ connections: [ConnectionEvidence]) -> [ComparedFact] {
        guard !connections.isEmpty else { return [] }
        func fact(_ name: String, _ meaning: String, _ value: (ConnectionEvidence) -> String?) -> ComparedFact {
            ComparedFact(name, connections.map { ($0.transport.name, value($0)) }) { _ in meaning }
        }
        let choice = "the stacks offer different things, or in another order, and the server chose; no fault by itself"
        return [
            handshake(connections),
            fact(
                "address", "the name has several addresses, and the backends reached different ones",
                \.report.peerAddress),
            fact("version", choice) { $0.report.version?.rawValue },
            fact("cipher-suite", choice, \.report.cipherSuite),
            fact("group", choice, \.report.group),
            fact("alpn", choice, \.report.alpn),
            fact(
                "chain",
                "the server presents different certificates to different clients: by algorithm, by address, or by chance"
            ) {
                $0.presented.isEmpty ? nil : chain($0)
            },
            fact("leaf-spki", differentKeys, leafKey),
            fact("leaf-spki-as-encoded", isOneKeyEncodedTwice(connections) ? differentEncodings : differentKeys) {
                $0.certificates.first?.stackSPKI?.base64
            },
            trust(connections),
            fact("reference-trust", "the chains differ, so the same rules come to different decisions") {
                $0.referenceTrust.map(decision)
            },
        ]
    }

    private static let differentKeys = "the server presents different keys: a pin of one of them fails with the other"
    private static let differentEncodings =
        "the stacks encode one key in two ways: a pin made with one fails with the other"

    private static func leafKey(_ connection: ConnectionEvidence) -> String? {
        connection.certificates.first.flatMap { try? $0.digests.get().spki.base64 }
    }

    /// Returns true if two stacks read the same bytes as a key and encode it differently: with different bytes, a difference
    /// is the server's.
    private static func isOneKeyEncodedTwice(_ connections: [ConnectionEvidence]) -> Bool {
        var encodings: [String: Set<PinDigest>] = [:]
        for connection in connections {
            guard let key = leafKey(connection), let encoded = connection.certificates.first?.stackSPKI else {
                continue
            }
            encodings[key, default: []].insert(encoded)
        }
        return encodings.values.contains { $0.count > 1 }
    }

    private static func handshake(_ connections: [ConnectionEvidence]) -> ComparedFact {
        let failures = connections.compactMap { connection in
            connection.report.failure.map { "\(connection.transport.name): \(PrintableText.escape($0.message))" }
        }.joined(separator: "; ")
        return ComparedFact(
            "handshake",
            connections.map { ($0.transport.name, $0.report.failure?.code.rawValue ?? "complete") },
            shared: failures.isEmpty ? nil : failures
        ) { _ in
            // Before the server has chosen anything, what it refuses is the offer.
            let isOffer = connections.allSatisfy { connection in
                connection.report.failure.map { $0.code == .alertReceived && connection.report.version == nil } ?? true
            }
            let meaning =
                isOffer
                ? "the server refuses what some stacks offer (versions, cipher suites, groups or signatures)"
                : "the stacks read the server's handshake differently"
            return "\(meaning): \(failures)"
        }
    }

    private static func trust(_ connections: [ConnectionEvidence]) -> ComparedFact {
        let values = connections.map {
            ($0.transport.name, $0.report.nativeTrust?.answered.map { $0.isAccepted ? "accepted" : "refused" })
        }
        return ComparedFact("native-trust", values) { _ in
            connections.compactMap { connection in
                connection.report.nativeTrust?.answered.map { "a client on \(connection.transport.name) \(seen($0))" }
            }.joined(separator: "; ")
        }
    }

    private static func seen(_ reading: TrustReading) -> String {
        guard let problem = reading.problems.first else { return "connects" }
        let certificate = problem.depth.map { " at certificate \($0)" } ?? ""
        return "refuses with \(problem.cause.rawValue)\(certificate) (\(problem.nativeCode ?? problem.message))"
    }

    private static func decision(_ reading: TrustReading) -> String {
        reading.cause.map { "refused: \($0.rawValue)" } ?? "accepted"
    }

    private static func chain(_ connection: ConnectionEvidence) -> String {
        let digests = connection.presented.map { PinDigest.sha256(of: connection.certificates[$0].der).hex.prefix(12) }
        return "\(digests.count): \(digests.joined(separator: " "))"
    }
}
