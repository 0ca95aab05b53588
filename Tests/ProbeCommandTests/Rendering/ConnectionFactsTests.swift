import Foundation
import ProbeKit
import ProbePins
import ProbeRun
import Testing

@testable import ProbeCommand

/// The explanations of what stacks saw differently.
@Suite struct ConnectionFactsTests {
    /// Returns the connection of a stack that was shown a leaf, and encodes its key as these bytes.
    private func connection(
        _ name: String, leaf: UInt8, encoded: UInt8, _ report: HandshakeReport = HandshakeReport()
    ) -> ConnectionEvidence {
        let digests = CertificateDigests(
            cert: .sha256(of: [leaf]), spki: .sha256(of: [leaf, 1]), rawKey: .sha256(of: [leaf, 2]))
        let certificate = CertificateEvidence(
            UnreadLeaf(der: [leaf]), source: .presented, digests: .success(digests),
            stackKey: .unreadable("no stack saw it"), stackSPKI: .sha256(of: [encoded]), showsDetails: false)
        return ConnectionEvidence(
            transport: BackendIdentity(name: name, library: "none", version: "0"), report: report,
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

    /// The reason may be a finding alone, as of a request that one stack did not answer.
    @Test func verdictsThatDifferAreExplainedByFindings() throws {
        func result(_ name: String, _ findings: [Finding]) -> ProbeResult {
            ProbeResult(
                subject: "a.test", evidence: Evidence(connection: connection(name, leaf: 1, encoded: 1), model: nil),
                verdict: Verdict([.warning("common", stage: .tls, "both have it", fix: "do")] + findings))
        }
        let late = Finding.warning("server-date-unknown", stage: .tls, "it asked anew", fix: "look")
        let failed = Finding.error(.policyFailed, code: "own", stage: .tls, "it failed", fix: "look")
        let differing = Comparison([result("a", []), result("b", [failed, late])], target: "a.test").facts
        let fact = try #require(differing.last { $0.fact == "findings" })
        #expect(fact.values == ["none", "error own, warning server-date-unknown"] && !fact.isEqual)
        #expect(fact.explanation == "b: it failed; b: it asked anew")
        let equal = Comparison([result("a", [late]), result("b", [late])], target: "a.test").facts
        #expect(!equal.contains { $0.fact == "findings" })
    }

    /// Before the server's hello nothing was read, and what it refuses is the offer.
    @Test func anOfferThatIsRefusedIsNotAReading() throws {
        func explanation(_ version: TLSVersion?) throws -> String {
            var report = HandshakeReport()
            report.failure = .refused(alert: .handshakeFailure, "handshake failure")
            report.version = version
            let refused = connection("b", leaf: 1, encoded: 1, report)
            let facts = ConnectionFacts.all([connection("a", leaf: 1, encoded: 1), refused])
            let fact = try #require(facts.first { $0.fact == "handshake" })
            return try #require(fact.explanation)
        }
        #expect(try explanation(nil).hasPrefix("the server refuses what some stacks offer"))
        #expect(try explanation(.tls12).hasPrefix("the stacks read the server's handshake differently"))
    }

    /// A stack that gave no decision refused nothing.
    @Test func aDecisionThatWasNotGivenIsNotARefusal() throws {
        func decided(_ name: String, _ reading: TrustReading) -> ConnectionEvidence {
            var report = HandshakeReport()
            report.nativeTrust = reading
            return connection(name, leaf: 1, encoded: 1, report)
        }
        let facts = ConnectionFacts.all([decided("a", .accepted(path: nil)), decided("b", .unanswered("it hung"))])
        let fact = try #require(facts.first { $0.fact == "native-trust" })
        #expect(fact.values == ["accepted", nil] && fact.isEqual)
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
