import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import Testing

@testable import ProbeRun
@testable import ProbeTrust

/// The TLSA records of a mail host: those that count, what they vouch for, and what is found where they do not.
@Suite struct MailHostTests {
    private static let pki = WatchBench.pki

    private func record(
        _ usage: UInt8, _ selector: UInt8, _ matching: UInt8, _ data: [UInt8]
    ) -> MailHost.Record { MailHost.Record(usage: usage, selector: selector, matching: matching, data: data) }

    private func host(_ records: [MailHost.Record], names: [String] = ["good.test"]) throws -> MailHost {
        MailHost(owner: "_25._tcp.mx.test", names: try names.map { try ServerName($0) }, answer: .records(records))
    }

    @Test func onlyWhatMailServersCanUseCounts() throws {
        let digest = [UInt8](repeating: 7, count: 32)
        let unusable = [
            record(0, 1, 1, digest), record(1, 1, 1, digest), record(4, 1, 1, digest), record(3, 2, 1, digest),
            record(3, 1, 3, digest), record(3, 1, 1, [7]), record(3, 1, 2, digest), record(2, 0, 0, []),
        ]
        let usable = [record(3, 1, 1, digest), record(2, 0, 0, [1]), record(2, 1, 2, digest + digest)]
        #expect(try host(unusable).usable.isEmpty)
        #expect(try host(unusable + usable).usable == usable)
        // The weaker digest of a kind is left out beside the stronger.
        let strong = record(3, 1, 2, digest + digest)
        #expect(try host([record(3, 1, 1, digest), strong, record(3, 0, 1, digest)]).usable.count == 2)
        #expect(try host([record(3, 1, 1, digest), strong]).usable == [strong])
    }

    private func judge(_ host: MailHost, _ identity: LabIdentityName, chain: [[UInt8]]? = nil) async throws
        -> TrustReading
    {
        let verifier = ReferenceVerifier()
        let question = TrustQuestion(
            chain: try chain ?? Self.pki.identity(identity).chain, anchors: .none, name: try ServerName("other.test"),
            instant: Self.pki.epoch)
        return await host.judge(question, by: verifier, verifier.certificates())
    }

    @Test func aKeyVouchesForItselfAlone() async throws {
        for identity in [LabIdentityName.good, .expired, .wrongName, .selfSigned] {
            let (leaf, key) = (try Self.pki.identity(identity).leaf, try Self.pki.identity(identity).key.spki)
            for own in [
                record(3, 1, 1, PinDigest.sha256(of: key).bytes), record(3, 1, 0, key), record(3, 0, 0, leaf),
                record(3, 0, 1, PinDigest.sha256(of: leaf).bytes),
            ] {
                let trust = try await judge(
                    try host([record(3, 1, 1, [UInt8](repeating: 0, count: 32)), own]), identity)
                #expect(trust.isAccepted, "\(identity) \(own)")
            }
        }
        let other = try await judge(
            try host([record(3, 1, 0, try Self.pki.identity(.second).key.spki)]), .good)
        #expect(other.cause == .unknownIssuer)
        // A record of an authority is not one of the server's own key.
        let authority = try await judge(try host([record(3, 0, 0, Self.pki.identity(.good).chain[1])]), .good)
        #expect(authority.cause == .unknownIssuer)
    }

    @Test func anAuthorityVouchesForNamesAndTimes() async throws {
        let chain = try Self.pki.identity(.good).chain
        let presented = record(2, 0, 1, PinDigest.sha256(of: chain[1]).bytes)
        let good = try await judge(try host([presented]), .good)
        #expect(good.isAccepted, "\(good)")
        let domain = try await judge(try host([presented], names: ["mx.test", "good.test"]), .good)
        #expect(domain.isAccepted)
        let other = try await judge(try host([presented], names: ["mx.test"]), .good)
        #expect(other.cause == .hostnameMismatch)
        let expired = try await judge(
            try host([record(2, 0, 1, PinDigest.sha256(of: try Self.pki.identity(.expired).chain[1]).bytes)]), .expired)
        #expect(expired.cause == .expired)
        // One that is published whole need not be sent; one that is a digest has to be.
        let whole = try await judge(try host([record(2, 0, 0, chain[1])]), .good, chain: [chain[0]])
        #expect(whole.isAccepted)
        let digest = try await judge(try host([presented]), .good, chain: [chain[0]])
        #expect(digest.cause == .unknownIssuer)
    }

    @Test(arguments: [
        (MailHost.Answer.absent, "dane-absent", Outcome.policyFailed),
        (.insecure("the MX records of a.test"), "dane-insecure", .policyFailed),
        (.failed("bogus"), "dane-lookup-failed", .dnsIndeterminate),
        (.records([.init(usage: 1, selector: 1, matching: 1, data: [1])]), "dane-unusable", .policyFailed),
    ])
    func lessIsAnError(answer: MailHost.Answer, code: String, outcome: Outcome) {
        let findings = DANEPublished(host: MailHost(owner: "_25._tcp.mx.test", names: [], answer: answer))
            .judge(Evidence(connection: nil, model: nil), at: .now)
        #expect(findings.map(\.code) == [code] && findings.first?.outcome == outcome)
    }
}
