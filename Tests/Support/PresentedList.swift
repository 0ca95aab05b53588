package import ProbeKit
import ProbeLab
import Testing

/// A list of certificates that no server should present, and its effect on a client of TLS 1.2.
package struct PresentedList: Sendable, CustomTestStringConvertible {
    private enum Element {
        case leaf
        case malformed
    }

    /// The list in words.
    package let testDescription: String
    private let elements: [Element]
    private let rest: [UInt8]
    let code: HandshakeFailure.Code
    /// The stacks that report the certificates all the same: the others show none that they did not take.
    let reporting: Set<EngineUnderTest.Stack>

    private init(
        _ words: String, _ elements: [Element], rest: [UInt8] = [], _ code: HandshakeFailure.Code = .protocolError,
        reporting: Set<EngineUnderTest.Stack> = []
    ) {
        testDescription = words
        self.elements = elements
        self.rest = rest
        self.code = code
        self.reporting = reporting
    }

    /// The table. The first certificate of a message that breaks off would be judged as if it were the whole chain.
    package static let all: [PresentedList] = [
        PresentedList("more bytes than are taken", [], rest: [UInt8](repeating: 0, count: 600_000), .chainTooLong),
        PresentedList(
            "more certificates than are taken", [Element](repeating: .leaf, count: HandshakeLimits.certificates + 1),
            .chainTooLong),
        PresentedList("no certificate", []),
        PresentedList("bytes that are not a certificate", [.malformed], reporting: [.openssl, .nio]),
        PresentedList("a certificate and bytes that are not one", [.leaf, .malformed], reporting: [.openssl, .nio]),
        PresentedList("a certificate and a byte", [.leaf], rest: [0]),
        PresentedList("a certificate and a part of one", [.leaf], rest: [0, 0, 9, 7]),
        PresentedList("a certificate and an empty one", [.leaf], rest: [0, 0, 0]),
    ]

    /// The certificates, byte for byte.
    func certificates() throws -> [[UInt8]] {
        let leaf = try EngineUnderTest.pki.identity(.rsa2048).leaf
        return elements.map { $0 == .leaf ? leaf : Array("not a certificate".utf8) }
    }

    /// The server's flight.
    func flight() throws -> [UInt8] { ServerFlight.records(try certificates(), rest: rest) }
}

extension EngineUnderTest {
    /// Returns the differences of the effect from the table's.
    package func differences(_ row: PresentedList, inPiecesOf size: Int) throws -> [String] {
        let report = try report(of: row.flight(), inPiecesOf: size)
        let chain = try row.reporting.contains(stack) ? row.certificates() : []
        var differences: [String] = []
        if report.failure?.code != row.code {
            differences.append("the failure is \(report.failure?.description ?? "none")")
        }
        if report.version != .tls12 { differences.append("the version is \(report.version?.rawValue ?? "none")") }
        if report.chain != chain { differences.append("it reports \(report.chain.count) certificates") }
        if report.keys.count != chain.count { differences.append("it reports \(report.keys.count) keys") }
        if case .spki? = report.keys.last { differences.append("it reads a key") }
        if report.nativeTrust?.cause != (chain.isEmpty ? nil : .malformed) {
            differences.append("its trust decision is \(report.nativeTrust?.cause?.rawValue ?? "none")")
        }
        return differences
    }

    /// Returns the failure when a server chooses an application protocol; h2 and http/1.1 are offered.
    package func failure(ofChoosing alpn: String) throws -> HandshakeFailure? {
        let flight = ServerFlight.records([try Self.pki.identity(.rsa2048).leaf], alpn: alpn)
        return try report(of: flight, alpn: ["h2", "http/1.1"]).failure
    }
}
