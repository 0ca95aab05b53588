import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTrust
import Testing

/// An unfinished handshake proves nothing: the failure decides, and all other findings are marked as unproven.
@Suite struct ProvenEvidenceTests {
    /// Evidence of a chain that is refused, with pins that do not match and a version that is too old.
    private static func check(_ failure: HandshakeFailure?) throws -> Verdict {
        let path = try TestConnection.path()
        var report = HandshakeReport()
        report.version = .tls12
        report.cipherSuite = "TLS_RSA_WITH_AES_128_GCM_SHA256"
        report.chain = Array(path.dropLast())
        report.clientCertificateRequested = true
        report.nativeTrust = .refused([.init(.expired, "expired")])
        report.failure = failure
        let certificates = report.chain.map {
            CertificateEvidence(der: $0, source: .presented, stackKey: .unanswered("not asked"))
        }
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: certificates, referenceTrust: .refused([.init(.expired, "expired")]), anchors: .none,
            instant: TestConnection.pki.epoch)
        let check = Check(
            target: Target(name: try ServerName("good.test"), port: 443), anchors: .none,
            pins: [PinGroup([Pin(kind: .spki, digest: .sha256(of: [1]))], position: .any)], minimumTLS: .tls13,
            demands: [
                ATSPolicy(), Announced(.error(.pinMismatch, code: "announced", stage: .pins, "known", fix: "fix")),
            ])
        return Verdict(
            check.policy.judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
                .filter { $0.code != "unanswered-key" })
    }

    @Test(
        "a failed handshake decides, whatever policy speaks beside it",
        arguments: HandshakeFailure.Code.allCases.filter { $0 != .backendError })
    func theFailureDecides(_ code: HandshakeFailure.Code) throws {
        let verdict = try Self.check(HandshakeFailure(code, "it failed"))
        #expect(verdict.findings.first?.severity == .error)
        let errors = verdict.findings.filter { $0.severity == .error }
        // Facts known before anything was sent need no proof.
        #expect(errors.dropFirst().map(\.code) == ["announced"], "\(errors)")
        let others = verdict.findings.dropFirst().filter {
            !["announced", "client-certificate-requested"].contains($0.code)
        }
        #expect(others.count >= 3 && others.allSatisfy { $0.message.hasPrefix("unproven, ") }, "\(others)")
        for code in ["expired", "pin-mismatch", "tls-version"] {
            #expect(others.contains { $0.code == code && $0.severity == .warning }, "\(code)")
        }
    }

    @Test func aRefusalAfterTheHandshakeLeavesWhatWasProved() throws {
        let verdict = try Self.check(
            HandshakeFailure(.alertReceived, "refused", alert: .certificateRequired, isAfterHandshake: true))
        #expect(verdict.findings.first?.code == "client-certificate-required")
        #expect(verdict.findings.first?.outcome == .handshakeFailed)
        #expect(verdict.outcome == .trustFailed)
        #expect(!verdict.findings.contains { $0.message.contains("unproven") })
    }

    @Test func aCompleteHandshakeIsJudgedAsEver() throws {
        let verdict = try Self.check(nil)
        #expect(verdict.outcome == .trustFailed)
        #expect(!verdict.findings.contains { $0.message.contains("unproven") })
        #expect(verdict.findings.contains { $0.code == "client-certificate-requested" && $0.severity == .warning })
    }

    /// The two decoders of one key differ whoever sent it, and a fault of ours is an error.
    @Test func unlikeReadingsStayAnError() {
        struct Says: Policy {
            let finding: Finding
            func judge(_ evidence: Evidence, at instant: Date) -> [Finding] { [finding] }
        }
        var report = HandshakeReport(failure: HandshakeFailure(.protocolError, "it failed"))
        report.chain = []
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: TestConnection.pki.epoch)
        for outcome in Outcome.allCases where outcome != .pass && outcome != .passWithWarnings {
            let policy = ProvenEvidence { Says(finding: .error(outcome, stage: .pins, "said", fix: "fix")) }
            let verdict = Verdict(
                policy.judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch))
            let stays = [.readingsDisagree, .internalError].contains(outcome)
            #expect(verdict.outcome == (stays ? outcome : .passWithWarnings))
        }
    }

    /// The failures that are due to the server's certificate request.
    @Test(arguments: [
        (HandshakeFailure.Code.alertReceived, HandshakeFailure.Alert?.some(.certificateRequired), true, true),
        (.alertReceived, .handshakeFailure, true, true), (.alertReceived, .internalError, true, false),
        (.connectionClosed, nil, true, true), (.connectionReset, nil, true, true),
        (.handshakeTimeout, nil, true, false), (.alertReceived, .certificateRequired, false, false),
        (.connectionClosed, nil, false, false),
    ])
    func refusalsOverTheCertificate(
        _ code: HandshakeFailure.Code, _ alert: HandshakeFailure.Alert?, _ isAfterHandshake: Bool, _ isRefusal: Bool
    ) {
        var report = HandshakeReport(
            failure: HandshakeFailure(code, "it failed", alert: alert, isAfterHandshake: isAfterHandshake))
        report.version = .tls13
        report.clientCertificateRequested = true
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: TestConnection.pki.epoch)
        let evidence = Evidence(connection: connection, model: nil)
        let findings =
            HandshakeCompletes().judge(evidence, at: TestConnection.pki.epoch)
            + ClientCertificateAsked().judge(evidence, at: TestConnection.pki.epoch)
        let codes = isRefusal ? ["client-certificate-required"] : [code.rawValue, "client-certificate-requested"]
        #expect(findings.map(\.code) == codes)
        #expect(Verdict(findings).outcome == .handshakeFailed)
    }
}
