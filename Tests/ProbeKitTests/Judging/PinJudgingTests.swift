import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust
import Testing

/// Conditions of the pin policies that only a particular mix of groups, certificates and memories shows.
@Suite struct PinJudgingTests {
    private static let pki = TestConnection.pki
    private let now = pki.epoch

    private func judge(
        _ policy: some Policy, chain: [[UInt8]], sources: [CertificateEvidence.Source] = [], path: [[UInt8]]? = nil,
        keys: [KeyReading] = [], time: ServerTime? = nil, remembered: Date? = nil, after seconds: TimeInterval = 0
    ) -> Verdict {
        var report = HandshakeReport()
        report.chain = chain
        let instant = now.addingTimeInterval(seconds)
        let certificates = chain.enumerated().map { index, der in
            CertificateEvidence(
                der: der, source: index < sources.count ? sources[index] : .presented,
                stackKey: index < keys.count ? keys[index] : Self.key(of: der))
        }
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "hand", library: "none", version: "0"), report: report, missing: [],
            certificates: certificates, referenceTrust: .accepted(path: path ?? chain), anchors: .none,
            instant: instant, serverTime: time, remembered: remembered)
        return Verdict(policy.judge(Evidence(connection: connection, model: nil), at: instant))
    }

    private static func key(of der: [UInt8]) -> KeyReading {
        guard let slices = try? CertificateSlices(certificate: der.span) else { return .unreadable("no certificate") }
        return .spki(Array(der[slices.spki]))
    }

    private func pin(_ kind: PinKind, _ identity: LabIdentityName) throws -> Pin {
        let identity = try Self.pki.identity(identity)
        return Pin(kind: kind, digest: .sha256(of: kind == .cert ? identity.leaf : identity.key.spki))
    }

    /// Key pins that have all expired vouch for nothing, though the group only reports and another one matches.
    @Test func expiredKeyPinsEndTheTolerance() throws {
        let old = try pin(.spki, .second)
        let matching = PinGroup([try pin(.spki, .good)], position: .leaf)
        let expired = PinGroup(
            [old], position: .leaf, pinExpiries: [old: now.addingTimeInterval(-1)], isEnforced: false)
        let certificate = PinGroup(
            [try pin(.cert, .good)], position: .leaf, window: TransitionWindow(start: now, end: now))
        let chain = try Self.pki.identity(.renewedSameKey).chain
        let time = ServerTime.known(now, skew: 0)
        #expect(judge(PinsMatch([matching, certificate]), chain: chain, time: time).outcome == .passWithWarnings)
        let verdict = judge(PinsMatch([matching, expired, certificate]), chain: chain, time: time)
        #expect(verdict.decidingFinding?.code == "no-alternate-key")
    }

    /// The server's time counts as asked only if it was asked inside the window.
    @Test func aMemoryFromBeforeTheWindowProvesNothing() throws {
        let window = TransitionWindow(start: now, end: now.addingTimeInterval(1000))
        let groups = [
            PinGroup([try pin(.spki, .good)], position: .leaf),
            PinGroup([try pin(.cert, .good)], position: .leaf, window: window),
        ]
        let chain = try Self.pki.identity(.renewedSameKey).chain
        let inside = judge(PinsMatch(groups), chain: chain, remembered: now, after: 5)
        #expect(inside.findings.map(\.code) == ["pin-matched", "transition"])
        let before = judge(PinsMatch(groups), chain: chain, remembered: now.addingTimeInterval(-1), after: 5)
        #expect(before.decidingFinding?.code == "transition-unproven")
    }

    /// A verdict rests on every certificate of the validated path, not on the leaf alone.
    @Test func aKeyThatTheStackCannotReadCountsWhereverThePathHasIt() throws {
        let chain = try Self.pki.identity(.good).chain
        let root = try #require(Self.pki.anchors().certificates.first)
        let keys = [Self.key(of: chain[0]), .unreadable("by the test")]
        let sources: [CertificateEvidence.Source] = [.presented, .presented, .anchor]
        let inPath = judge(
            KeyEncodingsAgree(), chain: chain + [root], sources: sources, path: chain + [root], keys: keys)
        #expect(inPath.outcome == .readingsDisagree)
        #expect(inPath.decidingFinding?.message.contains("certificate 1") == true)
        let beside = judge(
            KeyEncodingsAgree(), chain: chain + [root], sources: sources, path: [chain[0], root], keys: keys)
        #expect(beside.findings.map(\.code) == ["unreadable-key"])
        #expect(beside.outcome == .pass)
    }

    /// Anyone can send the expected certificate along.
    @Test func anExpectedCertificateHasToBeValidated() throws {
        let chain = try Self.pki.identity(.good).chain
        let stranger = try Self.pki.identity(.second).leaf
        let expectation = CertificateExpectation(name: "stranger.pem", certificates: [stranger])
        let appended = judge(CertificateMatches([expectation]), chain: chain + [stranger], path: chain)
        #expect(appended.outcome == .pinMismatch)
        #expect(appended.decidingFinding?.code == "certificate-differs")
        let validated = judge(CertificateMatches([expectation]), chain: chain + [stranger], path: chain + [stranger])
        #expect(validated.findings.map(\.code) == ["certificate-matched"])
    }
}
