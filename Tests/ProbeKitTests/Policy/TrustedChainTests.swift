import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTrust
import Testing

/// There is no mode without a trust decision (decided: trust-always).
@Suite struct TrustedChainTests {
    private static func outcome(
        _ mode: TrustMode, native: TrustReading?, reference: TrustReading?
    ) throws -> Outcome {
        let path = try TestConnection.path()
        var report = HandshakeReport()
        report.version = .tls13
        report.chain = path
        report.nativeTrust = native
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: reference, anchors: .none, instant: TestConnection.pki.epoch)
        return Verdict(
            TrustedChain(mode).judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
        ).outcome
    }

    @Test(
        "[R52, R56] Every mode refuses what its verifier refuses, and what nobody judged.",
        arguments: TrustMode.allCases)
    func everyModeDecides(mode: TrustMode) throws {
        let accepted = TrustReading.accepted(path: nil)
        let refused = TrustReading.refused([.init(.expired, "expired")])
        #expect(try Self.outcome(mode, native: accepted, reference: accepted) == .pass)
        #expect(try Self.outcome(mode, native: refused, reference: refused) == .trustFailed)
        for (native, reference) in [(nil, accepted), (accepted, nil), (nil, nil)] as [(TrustReading?, TrustReading?)] {
            #expect(try Self.outcome(mode, native: native, reference: reference) == .internalError)
        }
    }

    private static let accepted = TrustReading.accepted(path: nil)
    private static let expired = TrustReading.refused([.init(.expired, "it ended")])

    private static func judge(
        _ mode: TrustMode = .both, native: TrustReading? = accepted, reference: TrustReading? = accepted,
        staple: [UInt8]? = nil, failure: HandshakeFailure? = nil, missing: Set<TransportCapability> = [],
        isSupplied: Bool = false
    ) -> [Finding] {
        var report = HandshakeReport()
        report.isSupplied = isSupplied
        report.nativeTrust = native
        report.ocspStaple = staple
        report.failure = failure
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: missing,
            certificates: [], referenceTrust: reference, anchors: .none, instant: TestConnection.pki.epoch)
        return TrustedChain(mode).judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
    }

    private static func text(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.severity.rawValue) \($0.code)" }
    }

    /// A policy of its own reports a handshake that did not complete, and one that was not made.
    @Test func trustIsMissedOnlyInACompleteHandshake() {
        #expect(Self.text(Self.judge(native: nil)) == ["error trust-unread"])
        #expect(Self.judge(native: nil, failure: HandshakeFailure(.protocolError, "it failed")).isEmpty)
        #expect(Self.judge(native: nil, missing: [.sni]).isEmpty)
        #expect(Self.judge(native: Self.expired, reference: Self.expired, missing: [.sni]).isEmpty)
    }

    /// A stack that gave no decision refused nothing: the fault is its own, wherever its decision counts.
    @Test func aStackThatGivesNoDecisionIsAtFault() {
        let silent = TrustReading.unanswered("its memory ran out", nativeCode: "E_MEMORY")
        for mode in [TrustMode.both, .native] {
            for reference in [Self.accepted, Self.expired] {
                let findings = Self.judge(mode, native: silent, reference: reference)
                #expect(Self.text(findings) == ["error backend-error"])
                #expect(findings.map(\.outcome) == [.internalError])
                #expect(findings.first?.message == "test gave no trust decision: its memory ran out (E_MEMORY)")
            }
        }
        #expect(Self.text(Self.judge(.reference, native: silent)) == ["note trust-mode"])
        #expect(Self.judge(native: silent, failure: HandshakeFailure(.protocolError, "it failed")).isEmpty)
    }

    /// One fact has one fix, whether the handshake failed of it or the decision is missing.
    @Test(arguments: [nil, .programFault, .programHung, .programBusy] as [TrustReading.Silence?])
    func aMissingDecisionHasTheFixOfAFailedBackend(silence: TrustReading.Silence?) throws {
        let silent = TrustReading.unanswered("it ended", silence: silence)
        let failure = try #require(HandshakeFailure(without: silent))
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"),
            report: HandshakeReport(failure: failure), missing: [], certificates: [], referenceTrust: nil,
            anchors: .none, instant: TestConnection.pki.epoch)
        let failed = HandshakeCompletes().judge(
            Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch
        ).first
        let undecided = Self.judge(native: silent).first
        #expect(undecided?.code == failed?.code && undecided?.outcome == failed?.outcome)
        #expect(undecided?.fix == failed?.fix && undecided?.fix.isEmpty == false)
    }

    @Test func aDisagreementNamesWhoRefuses() {
        let refused = TrustReading.refused([.init(.hostnameMismatch, "another name"), .init(.expired, "it ended")])
        let native = Self.judge(native: refused)
        #expect(native.map(\.outcome) == [.stacksDisagree])
        #expect(
            native.first?.message.hasPrefix(
                "test refuses, the reference verifier accepts: \(refused.problems[0].cause.rawValue): ")
                == true)
        #expect(native.first?.fix.hasPrefix("fix the chain so that both accept it: ") == true)
        let reference = Self.judge(reference: refused)
        #expect(reference.map(\.outcome) == [.stacksDisagree])
        #expect(reference.first?.message.hasPrefix("test accepts, the reference verifier refuses: ") == true)
    }

    /// The chain is not at fault where the staple alone is.
    @Test(arguments: [StapleRemedy.missing, StapleRemedy.unusable])
    func aDisagreementOverTheStapleIsTheServersToEnd(fix: String) {
        let refused = TrustReading.refused([.init(.other, "the response is invalid", depth: 0, fix: fix)])
        #expect(Self.judge(native: refused).first?.fix == fix)
    }

    @Test func oneVerifierAloneIsMentioned() {
        #expect(Self.text(Self.judge(.reference, native: Self.expired)) == ["note trust-mode"])
        #expect(Self.text(Self.judge(.reference, reference: Self.expired)) == ["note trust-mode", "error expired"])
        let judging = Self.accepted.judgingRevocation
        #expect(Self.text(Self.judge(.native, native: judging, reference: Self.expired)) == ["note trust-mode"])
        #expect(
            Self.text(Self.judge(.native, native: Self.expired.judgingRevocation)) == [
                "note trust-mode", "error expired",
            ])
    }

    @Test func eachCauseIsReportedOnce() {
        let refused = TrustReading.refused([
            .init(.expired, "the leaf"), .init(.expired, "the root"), .init(.hostnameMismatch, "another name"),
        ])
        let findings = Self.judge(native: refused, reference: refused)
        #expect(Set(findings.map(\.code)) == ["expired", "hostname-mismatch"] && findings.count == 2)
    }

    /// A file that begins with its CA is read as it is, and the advice is the order, not another certificate.
    @Test func aChainThatBeginsWithACAIsToBeTurned() throws {
        let path = try TestConnection.path()
        let refused = TrustReading.refused([.init(.hostnameMismatch, "no name"), .init(.wrongPurpose, "no use")])
        func fixes(_ chain: [[UInt8]]) throws -> [String] {
            var report = HandshakeReport()
            (report.chain, report.nativeTrust) = (chain, refused)
            let connection = ConnectionEvidence(
                transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
                certificates: chain.map {
                    CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("not asked"))
                }, referenceTrust: refused, anchors: .none, instant: TestConnection.pki.epoch)
            return TrustedChain().judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
                .map(\.fix)
        }
        let turned = "put the server's own certificate first: it is number 2 of 2, behind a CA's"
        #expect(try fixes([path[1], path[0]]) == [turned, turned])
        #expect(try !fixes([path[0], path[1]]).contains(turned))
        #expect(try !fixes([path[1]]).contains(turned))
    }

    /// A verifier that takes the ended one of two issuers needs no new certificate.
    @Test(arguments: [TrustMode.both, .native]) func anEndedCertificateBesideAValidPathIsLeftOut(mode: TrustMode) throws
    {
        let path = try TestConnection.path()
        let ended = try TestConnection.pki.identity(.expiredIntermediate).chain[1]
        func fix(_ chain: [[UInt8]], depth: Int?) -> String? {
            var report = HandshakeReport()
            report.chain = chain
            report.nativeTrust = TrustReading.refused([.init(.expired, "it ended", depth: depth)])
            let connection = ConnectionEvidence(
                transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
                certificates: chain.map {
                    CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("not asked"))
                }
                    + [CertificateEvidence(der: path[2], source: .anchor, stackKey: .unreadable("not asked"))],
                referenceTrust: .accepted(path: path), anchors: .none, instant: TestConnection.pki.epoch)
            return TrustedChain(mode).judge(Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
                .first { $0.severity == .error }?.fix
        }
        let spare = [path[0], ended, path[1]]
        for depth in [1, nil] {
            let left = try #require(fix(spare, depth: depth))
            #expect(left.hasSuffix(", which has ended, out of what the server sends"), "\(left)")
            #expect(left.contains("Expired Intermediate"), "\(left)")
        }
        #expect(fix(spare, depth: 0)?.hasSuffix("renew the certificate") == true)
        // Nothing that is sent has ended: it is a root, wherever the stack's path has it.
        let sent = Array(path.prefix(2))
        for depth in [1, 2] { #expect(fix(sent, depth: depth)?.hasSuffix("make sure that clients trust it") == true) }
    }

    @Test(arguments: [TrustMode.both, .reference]) func remarksKeepTheirSeverity(mode: TrustMode) {
        let reading = TrustReading.accepted(
            path: nil, remarks: [.warning("padded", "odd", fix: "reissue it"), .note("dotted", "seen")])
        let findings = Self.judge(mode, reference: reading).filter { $0.code != "trust-mode" }
        #expect(Self.text(findings) == ["warning padded", "note dotted"])
        #expect(findings.first?.fix == "reissue it")
    }

    /// A stack names the cause, and the reference verifier how to remove it.
    @Test func aStacksProblemHasTheReferenceVerifiersRemedy() {
        let native = TrustReading.refused([.init(.constraintViolated, "by the stack", depth: 0)])
        for (depth, isSame) in [(0, true), (1, false)] {
            let reference = TrustReading.refused([
                .init(.constraintViolated, "by us", depth: depth, fix: "leave the extension out")
            ])
            let found = Self.judge(.native, native: native, reference: reference).first { $0.severity == .error }
            #expect((found?.fix == "leave the extension out") == isSame)
        }
    }

    /// The place of an ended certificate by what the server sends, if the stack names none.
    @Test func anEndWithoutAPlaceIsLookedFor() throws {
        let path = try TestConnection.path()
        let ended = try TestConnection.pki.identity(.expiredIntermediate).chain
        let late = try TestConnection.pki.issue(.leaf("late") { $0.validity = LabCertificateRecipe.days(-9, -1) })
        for (chain, words) in [
            ([late, path[1]], "renew the certificate"), (ended, "send a current certificate of that CA"),
            (Array(path.prefix(2)), "move to a root that is valid"),
        ] {
            var report = HandshakeReport()
            (report.chain, report.nativeTrust) = (chain, Self.expired)
            let connection = ConnectionEvidence(
                transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
                certificates: chain.map {
                    CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("not asked"))
                }, referenceTrust: Self.expired, anchors: .none, instant: TestConnection.pki.epoch)
            let fix = TrustedChain.fix(of: Self.expired.problems[0], in: connection)
            #expect("\(fix)".hasPrefix(words), "\(fix)")
        }
    }

    /// Whoever did not ask for the staple is named: the backend, or nobody where there was no connection.
    @Test func aDemandedStapleThatNobodyAskedForIsAWarning() {
        let reading = TrustReading.accepted(
            path: nil, remarks: [.warning("staple-not-asked", "none was asked for", fix: "ask the server")])
        let live = Self.judge(reference: reading)
        #expect(Self.text(live) == ["warning staple-not-asked"])
        #expect(live.first?.message == "none was asked for: test can't ask for it")
        #expect(live.first?.fix == "choose another backend")
        let supplied = Self.judge(reference: reading, isSupplied: true)
        #expect(supplied.first?.message == "none was asked for: a chain without a connection comes without one")
        #expect(supplied.first?.fix == "ask the server")
    }

    /// A stack that does not judge revocation may accept what has been revoked: said where its word decides, and where a
    /// response came that it did not look at.
    @Test func whoDidNotJudgeRevocation() {
        let revoked = TrustReading.refused([.init(.expired, "it ended"), .init(.revoked, "it was revoked")])
        for mode in [TrustMode.both, .native] {
            #expect(
                !Self.judge(mode, native: Self.accepted.judgingRevocation, staple: [1]).map(\.code)
                    .contains("revocation-not-judged"))
        }
        #expect(Self.judge().isEmpty)
        let stapled = Self.judge(staple: [1])
        #expect(Self.text(stapled) == ["note revocation-not-judged"])
        #expect(stapled[0].message.hasSuffix("ignores the stapled OCSP response that came"))
        #expect(
            Self.text(Self.judge(reference: revoked, staple: [1])) == [
                "error stacks-disagree", "note revocation-not-judged",
            ])
        let native = Self.judge(.native)
        #expect(Self.text(native) == ["note trust-mode", "note revocation-not-judged"])
        #expect(native[1].message.hasSuffix("asks for no OCSP response"))
        let warned = Self.judge(.native, reference: revoked, staple: [1])
        #expect(Self.text(warned) == ["note trust-mode", "warning revocation-not-judged"])
        #expect(warned[1].message.hasSuffix("by that response it was revoked"))
        #expect(
            Self.text(Self.judge(.native, reference: Self.expired, staple: [1])).last == "note revocation-not-judged")
        #expect(
            Self.text(Self.judge(.native, native: Self.expired, reference: revoked, staple: [1]))
                == ["note trust-mode", "error expired", "note revocation-not-judged"])
        #expect(Self.text(Self.judge(.reference, staple: [1])) == ["note trust-mode"])
    }
}
