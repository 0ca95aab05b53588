import Foundation
import ProbeKit
import ProbePins
import Testing

@testable import ProbeCommand

/// The explanations of what stacks saw differently.
@Suite struct ConnectionFactsTests {
    /// Returns the connection of a stack that was shown a leaf, and encodes its key as these bytes.
    private func connection(_ name: String, leaf: UInt8, encoded: UInt8) -> ConnectionEvidence {
        let digests = CertificateDigests(
            cert: .sha256(of: [leaf]), spki: .sha256(of: [leaf, 1]), rawKey: .sha256(of: [leaf, 2]))
        let certificate = CertificateEvidence(
            UnreadLeaf(der: [leaf]), source: .presented, digests: .success(digests),
            stackKey: .unreadable("no stack saw it"), stackSPKI: .sha256(of: [encoded]), showsDetails: false)
        return ConnectionEvidence(
            transport: BackendIdentity(name: name, library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: [certificate], referenceTrust: nil, anchors: .none, instant: .now)
    }

    private func explanation(_ connections: [ConnectionEvidence]) throws -> String? {
        try #require(ConnectionFacts.all(connections).first { $0.fact == "leaf-spki-as-encoded" }).explanation
    }

    /// A pin of one stack then fails with the other, and the server is not the reason.
    @Test func oneKeyInTwoEncodingsIsTheStacks() throws {
        let found = try explanation([connection("a", leaf: 1, encoded: 1), connection("b", leaf: 1, encoded: 2)])
        #expect(found?.contains("encode one key in two ways") == true, "\(found ?? "")")
    }

    @Test func encodingsOfTwoKeysDifferAsTheKeysDo() throws {
        let found = try explanation([connection("a", leaf: 1, encoded: 1), connection("b", leaf: 2, encoded: 2)])
        #expect(found?.contains("presents different keys") == true, "\(found ?? "")")
        #expect(try explanation([connection("a", leaf: 1, encoded: 1), connection("b", leaf: 1, encoded: 1)]) == nil)
    }
}

private final class UnreadLeaf: CertificateReading {
    let der: [UInt8]
    let details: CertificateDetails? = nil

    init(der: [UInt8]) { self.der = der }
}
