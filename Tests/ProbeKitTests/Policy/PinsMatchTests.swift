import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust
import Testing

/// Groups of pins on evidence made by hand: expiry, report-only groups, and the order of keys and certificates.
@Suite("[R3, R6, R9, R12] groups of pins") struct PinsMatchTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    private let now = pki.epoch

    private func judge(
        _ groups: [PinGroup], serving identity: LabIdentityName = .good, time: ServerTime? = nil,
        after seconds: TimeInterval = 0
    ) throws -> Verdict {
        let chain = try Self.pki.identity(identity).chain
        let instant = now.addingTimeInterval(seconds)
        var report = HandshakeReport()
        report.chain = chain
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "hand", library: "none", version: "0"), report: report, missing: [],
            certificates: chain.map { CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("")) },
            referenceTrust: .accepted(path: chain), anchors: .none, instant: instant, serverTime: time)
        return Verdict(PinsMatch(groups).judge(Evidence(connection: connection, model: nil), at: instant))
    }

    private func spki(_ identity: LabIdentityName) throws -> Pin {
        Pin(kind: .spki, digest: .sha256(of: try Self.pki.identity(identity).key.spki))
    }

    private func cert(_ identity: LabIdentityName) throws -> Pin {
        Pin(kind: .cert, digest: .sha256(of: try Self.pki.identity(identity).leaf))
    }

    private func codes(_ verdict: Verdict) -> [String] { verdict.findings.map(\.code) }

    @Test func aGroupCountsToItsLastInstant() throws {
        let expiry = PinGroup.Expiry(last: now)
        let right = PinGroup([try spki(.good)], position: .leaf, expiry: expiry)
        #expect(try judge([right]).outcome == .pass)
        #expect(try judge([right], after: 0.5).outcome == .pass, "the last second counts to its end")
        let verdict = try judge([right], after: 1)
        #expect(verdict.outcome == .pinMismatch)
        #expect(codes(verdict) == ["pins-expired"])
    }

    /// The platforms that know an expiry stop looking: whatever is served passes then, which is worth a warning.
    @Test func anExpiredGroupMayBeIgnored() throws {
        let expiry = PinGroup.Expiry(last: now, afterwards: .ignore)
        let wrong = PinGroup([try spki(.second)], position: .leaf, expiry: expiry)
        #expect(try judge([wrong]).outcome == .pinMismatch)
        let verdict = try judge([wrong], after: 1)
        #expect(verdict.outcome == .passWithWarnings)
        #expect(codes(verdict) == ["pins-expired"])
    }

    @Test func aPinMayExpireAlone() throws {
        let (old, new) = (try spki(.good), try spki(.renewedNewKey))
        let group = PinGroup([old, new], position: .leaf, pinExpiries: [old: now])
        #expect(try judge([group]).outcome == .pass)
        #expect(try judge([group], after: 0.5).outcome == .pass)
        #expect(try judge([group], after: 1).outcome == .pinMismatch)
        #expect(try judge([group], serving: .renewedNewKey, after: 1).outcome == .pass)
    }

    @Test func aGroupWithoutPinsLeftFails() throws {
        let old = try spki(.good)
        let verdict = try judge([PinGroup([old], position: .leaf, pinExpiries: [old: now])], after: 1)
        #expect(verdict.outcome == .pinMismatch)
        #expect(codes(verdict) == ["pins-expired"])
        let reporting = PinGroup([old], position: .leaf, pinExpiries: [old: now], isEnforced: false)
        #expect(try judge([reporting], after: 1).outcome == .passWithWarnings)
    }

    @Test func aGroupThatReportsFailsNothing() throws {
        let verdict = try judge([PinGroup([try spki(.second)], position: .leaf, isEnforced: false)])
        #expect(verdict.outcome == .passWithWarnings)
        #expect(codes(verdict) == ["pin-mismatch-reported"])
        let expired = PinGroup(
            [try spki(.second)], position: .leaf, expiry: PinGroup.Expiry(last: now), isEnforced: false)
        #expect(try judge([expired], after: 1).outcome == .passWithWarnings)
    }

    /// Keys first, in whatever order they are written.
    @Test func keysAreJudgedBeforeCertificates() throws {
        let window = TransitionWindow(start: now, end: now)
        let keys = PinGroup([try spki(.good)], position: .leaf)
        let certificate = PinGroup([try cert(.good)], position: .leaf, window: window)
        for groups in [[keys, certificate], [certificate, keys]] {
            let verdict = try judge(groups, serving: .renewedSameKey, time: .known(now, skew: 0))
            #expect(codes(verdict) == ["pin-matched", "transition"])
            #expect(verdict.outcome == .passWithWarnings)
        }
    }

    /// A window is the certificate group's: key pins are never relaxed, and neither is a certificate if another key
    /// group fails.
    @Test func aWindowRelaxesCertificatesOnly() throws {
        let window = TransitionWindow(start: now, end: now, fallback: .system)
        let time = ServerTime.known(now, skew: 0)
        let keys = PinGroup([try spki(.good)], position: .leaf, window: window)
        let relaxed = try judge([keys], serving: .renewedNewKey, time: time)
        #expect(relaxed.outcome == .pinMismatch)
        #expect(
            relaxed.decidingFinding?.message.contains("its transition window is without effect: a window relaxes")
                == true)
        let matching = PinGroup([try spki(.renewedNewKey)], position: .leaf)
        let failing = PinGroup([try spki(.second)], position: .leaf)
        let certificate = PinGroup(
            [try cert(.good)], position: .leaf, window: TransitionWindow(start: now, end: now))
        let verdict = try judge([matching, failing, certificate], serving: .renewedNewKey, time: time)
        #expect(verdict.outcome == .pinMismatch)
        #expect(codes(verdict).contains("no-alternate-key"))
    }

    /// A key group that failed is not forgotten, and only keys that match vouch, whatever certificate groups come between.
    @Test func certificateGroupsChangeNothingForEachOther() throws {
        let served = LabIdentityName.renewedSameKey
        let window = TransitionWindow(start: now, end: now)
        let relaxed = PinGroup([try cert(.good)], position: .leaf, window: window)
        let old = try cert(.second)
        let expired = PinGroup(
            [old], position: .leaf, pinExpiries: [old: now.addingTimeInterval(-1)], isEnforced: false)
        let mismatching = PinGroup([old], position: .leaf, isEnforced: false)
        let matching = PinGroup([try cert(served)], position: .leaf)
        let key = PinGroup([try spki(.good)], position: .leaf)
        let wrongKey = PinGroup([try spki(.second)], position: .leaf, isEnforced: false)
        func last(_ groups: PinGroup...) throws -> String? {
            codes(try judge(groups, serving: served, time: .known(now, skew: 0))).last
        }
        for between in [expired, mismatching, matching] {
            #expect(try last(key, between, relaxed) == "transition", "\(between)")
            #expect(try last(key, wrongKey, between, relaxed) == "no-alternate-key", "\(between)")
            #expect(try last(between, relaxed) == "no-alternate-key", "\(between)")
        }
    }

    @Test func withoutCertificatesThereIsNothingToJudge() throws {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "hand", library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: [], referenceTrust: nil, anchors: .none, instant: now)
        let evidence = Evidence(connection: connection, model: nil)
        #expect(PinsMatch([PinGroup([try spki(.good)], position: .leaf)]).judge(evidence, at: now).isEmpty)
        let expectation = CertificateExpectation(name: "a.pem", certificates: [[1]])
        #expect(CertificateMatches([expectation]).judge(evidence, at: now).isEmpty)
        #expect(PinsMatch([]).judge(Evidence(connection: nil, model: nil), at: now).isEmpty)
    }

    @Test func theServersTimeIsAwaited() throws {
        let window = TransitionWindow(start: now, end: now)
        let groups = [
            PinGroup([try spki(.good)], position: .leaf),
            PinGroup([try cert(.good)], position: .leaf, window: window),
        ]
        #expect(codes(try judge(groups, serving: .renewedSameKey)).contains("transition-unproven"))
        let unknown = try judge(groups, serving: .renewedSameKey, time: .unknown("it slept"))
        #expect(unknown.decidingFinding?.code == "server-date-unknown")
        #expect(unknown.decidingFinding?.message.contains("it slept") == true)
        // The certificate is as planned: pinning it is not the fix.
        #expect(unknown.decidingFinding?.fix == "configure the server to answer HEAD with one Date")
        let asked = try judge(groups, serving: .renewedSameKey).decidingFinding
        #expect(asked?.fix == "have the server asked for its time")
        // No configuration of a mail server gives it a Date.
        let mail = try judge(groups, serving: .renewedSameKey, time: .notOffered("smtp has no Date")).decidingFinding
        #expect(mail?.code == "no-server-date" && mail?.message.contains("smtp has no Date") == true)
        let served = try cert(.renewedSameKey)
        #expect(mail?.remedy.steps == [.pin(served, .leaf)], "\(mail?.fix ?? "")")
        let late = try judge(groups, serving: .renewedSameKey, time: .known(now, skew: 301)).decidingFinding
        #expect(
            late?.code == "clock-skew" && late?.fix == "set the clock that is wrong, this machine's or the server's")
    }

    /// A server that fails by other pins is not asked, and asking it would change nothing.
    @Test func theServersTimeIsNotAwaitedInVain() throws {
        let window = TransitionWindow(start: now, end: now, fallback: .system)
        let relaxed = PinGroup([try cert(.good)], position: .leaf, window: window)
        let served = try cert(.renewedSameKey)
        for failing in [PinGroup([try spki(.second)], position: .leaf), PinGroup([try cert(.second)], position: .leaf)]
        {
            let errors = try judge([relaxed, failing], serving: .renewedSameKey).findings.filter {
                $0.severity == .error
            }
            #expect(errors.map(\.code) == ["pin-mismatch", "pin-mismatch"])
            let finding = try #require(errors.first { $0.message.contains("was not asked for its time") })
            #expect(finding.message.hasSuffix("the connection fails anyway"))
            #expect(finding.remedy.steps == [.pin(served, .leaf)], "\(finding.fix)")
        }
        #expect(codes(try judge([relaxed], serving: .renewedSameKey)) == ["transition-unproven"])
    }

    /// Pins that only report announce what enforcing them would refuse, and a window tolerates the same (requirement 9).
    @Test func reportedPinsAwaitTheServersTimeToo() throws {
        let window = TransitionWindow(start: now, end: now)
        let keys = PinGroup([try spki(.good)], position: .leaf)
        let reporting = PinGroup([try cert(.good)], position: .leaf, window: window, isEnforced: false)
        func found(_ groups: [PinGroup], _ time: ServerTime?) throws -> [Finding] {
            try judge(groups, serving: .renewedSameKey, time: time).findings
        }
        let awaited = try found([keys, reporting], nil)
        #expect(awaited.map(\.code) == ["pin-matched", "pin-mismatch-reported"])
        #expect(awaited.map { PinsMatch.dependsOnServerTime($0) } == [false, true])
        #expect(try found([keys, reporting], .known(now, skew: 0)).map(\.code) == ["pin-matched", "transition"])
        for time in [ServerTime.unknown("it slept"), .known(now, skew: 301), .notOffered("smtp has no Date")] {
            let refused = try found([keys, reporting], time)
            #expect(refused.map(\.code) == ["pin-matched", "pin-mismatch-reported"])
            #expect(!refused.contains { PinsMatch.dependsOnServerTime($0) }, "\(refused)")
        }
        // Asking the server would not change what fails.
        let failing = try found([keys, reporting, PinGroup([try cert(.second)], position: .leaf)], nil)
        #expect(!failing.contains { PinsMatch.dependsOnServerTime($0) })
        let reported = try #require(failing.first { $0.code == "pin-mismatch-reported" })
        #expect(reported.message.contains("the connection fails anyway"), "\(reported.message)")
    }

    /// Enforcing pins that only report would send the server nothing where others of them fail (requirement 108).
    @Test("[R108] reported pins are not worth a question where others that only report fail")
    func reportedPinsFailAnyway() throws {
        func certificate(_ missing: TransitionWindow.MissingDate = .strict, isEnforced: Bool = false) throws -> PinGroup
        {
            let window = TransitionWindow(start: now, end: now, fallback: .system, onMissingDate: missing)
            return PinGroup([try cert(.good)], position: .leaf, window: window, isEnforced: isEnforced)
        }
        let wrong = try spki(.second)
        let ended = now.addingTimeInterval(-1)
        func keys(_ expiry: PinGroup.Expiry?, ends: [Pin: Date] = [:]) -> PinGroup {
            PinGroup([wrong], position: .leaf, expiry: expiry, pinExpiries: ends, isEnforced: false)
        }
        func found(_ groups: [PinGroup]) throws -> [Finding] { try judge(groups, serving: .renewedSameKey).findings }
        func waits(_ groups: [PinGroup]) throws -> Bool {
            try found(groups).contains { PinsMatch.dependsOnServerTime($0) }
        }
        for failing in [keys(nil), keys(PinGroup.Expiry(last: ended)), keys(nil, ends: [wrong: ended])] {
            #expect(try !waits([failing, certificate()]))
            #expect(try !waits([failing, certificate(.lenient)]))
            #expect(try waits([failing, certificate(isEnforced: true)]), "enforced pins depend on the answer")
            #expect(try waits([failing, certificate(), certificate(isEnforced: true)]))
            let messages = try found([failing, certificate()]).map(\.message)
            #expect(messages.contains { $0.contains("other pins would fail the connection anyway") }, "\(messages)")
        }
        // Enforced too, pins that are ignored after their end fail nothing.
        #expect(try waits([keys(PinGroup.Expiry(last: ended, afterwards: .ignore)), certificate()]))
        #expect(try waits([certificate()]))
    }
}
