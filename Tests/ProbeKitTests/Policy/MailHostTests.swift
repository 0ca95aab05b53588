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

    /// The authority of a digest, or of a key alone, is in a certificate that the server has to send (RFC 7672 section 3.1.2).
    @Test func anAuthorityThatIsNotSentIsAskedFor() async throws {
        let chain = try Self.pki.identity(.good).chain
        let authority = chain[1]
        let slices = try CertificateSlices(certificate: authority.span)
        let key = record(2, 1, 0, Array(authority[slices.spki]))
        let whole = record(2, 0, 1, PinDigest.sha256(of: authority).bytes)
        for (published, words) in [(key, "a certificate with the key"), (whole, "the certificate")] {
            let trust = try await judge(try host([published]), .good, chain: [chain[0]])
            #expect(trust.cause == .unknownIssuer)
            let fix = trust.problems.first?.fix
            #expect(fix?.hasPrefix("send \(words) of '_25._tcp.mx.test TLSA \(published)'") == true, "\(trust)")
            let sent = try await judge(try host([published]), .good)
            #expect(sent.isAccepted, "\(sent)")
        }
    }

    /// The digest is right, and the numbers before it are of another: the fix is the record as it has to be.
    @Test func aMisstatedDigestIsNamed() async throws {
        let identity = try Self.pki.identity(.good)
        let (whole, key) = (PinDigest.sha256(of: identity.leaf).bytes, PinDigest.sha256(of: identity.key.spki).bytes)
        let authority = PinDigest.sha256(of: identity.chain[1]).bytes
        for (wrong, right, what) in [
            (record(3, 1, 1, whole), record(3, 0, 1, whole), "certificate 0"),
            (record(3, 0, 1, key), record(3, 1, 1, key), "the key of certificate 0"),
            (record(2, 1, 1, key), record(3, 1, 1, key), "the key of certificate 0"),
            (record(3, 0, 1, authority), record(2, 0, 1, authority), "certificate 1"),
        ] {
            let trust = try await judge(try host([wrong]), .good)
            #expect(trust.cause == .unknownIssuer)
            #expect(
                trust.problems.first?.fix
                    == "change '_25._tcp.mx.test TLSA \(wrong)' to '\(right)': the digest is that of \(what)")
        }
        let unknown = try await judge(try host([record(3, 1, 1, [UInt8](repeating: 7, count: 32))]), .good)
        #expect(unknown.problems.first?.fix?.hasPrefix("publish a TLSA record") == true)
        // The record of a leaf is right that comes after another one.
        let other = try Self.pki.identity(.wrongName).leaf
        let right = try host([record(3, 0, 1, whole)])
        let behind = try await judge(right, .good, chain: [other] + identity.chain)
        #expect(behind.problems.first?.fix?.hasPrefix("publish a TLSA record") == true)
        // One that no mail server can use is found beside it.
        let mistyped = try host([record(3, 1, 2, key), record(3, 1, 1, [UInt8](repeating: 7, count: 32))])
        let type = try await judge(mistyped, .good)
        #expect(type.problems.first?.fix?.contains("to '\(record(3, 1, 1, key))'") == true)
    }

    @Test func aMisstatedDigestThatCannotBeUsedIsNamed() throws {
        let identity = try Self.pki.identity(.good)
        let key = PinDigest.sha256(of: identity.key.spki).bytes
        var report = HandshakeReport()
        report.chain = identity.chain
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "hand", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: Self.pki.epoch)
        for wrong in [record(1, 1, 1, key), record(3, 1, 2, key)] {
            let findings = DANEPublished(host: try host([wrong]))
                .judge(Evidence(connection: connection, model: nil), at: Self.pki.epoch)
            #expect(findings.map(\.code) == ["dane-unusable"])
            #expect(findings.first?.fix.contains("to '\(record(3, 1, 1, key))'") == true, "\(findings)")
        }
    }

    /// A certificate that is sent along, or none, issued the leaf: no other anchor than the published one can be given.
    @Test(arguments: [LabIdentityName.selfSigned, .unknownIssuer])
    func aLeafOfAnotherIssuerNamesNoAnchor(identity: LabIdentityName) async throws {
        let published = try host([record(2, 0, 0, try Self.pki.identity(.good).chain[1])])
        let trust = try await judge(published, identity)
        let cause: TrustCause = identity == .selfSigned ? .selfSigned : .unknownIssuer
        #expect(trust.cause == cause, "\(trust)")
        #expect(trust.problems.first?.fix?.hasPrefix("send the certificates between") == true, "\(trust)")
    }

    private static let lesser: [(MailHost.Answer, String, Outcome)] = [
        (.absent, "dane-absent", .policyFailed),
        (.insecure("the MX records of a.test"), "dane-insecure", .policyFailed),
        (.failed("bogus"), "dane-lookup-failed", .dnsIndeterminate),
        (.records([.init(usage: 1, selector: 1, matching: 1, data: [1])]), "dane-unusable", .policyFailed),
    ]

    @Test(arguments: lesser) func lessIsAnError(answer: MailHost.Answer, code: String, outcome: Outcome) {
        let findings = DANEPublished(host: MailHost(owner: "_25._tcp.mx.test", names: [], answer: answer))
            .judge(Evidence(connection: nil, model: nil), at: .now)
        #expect(findings.map(\.code) == [code] && findings.first?.outcome == outcome)
    }

    /// Returns the verdict of a check by DANE whose chain the stack refuses.
    ///
    /// - Parameters:
    ///   - hosts: those that the records led to.
    ///   - trust: the reference verifier's decision.
    private func verdict(_ hosts: [ServerName: MailHost], _ trust: TrustReading?) throws -> Verdict {
        var report = HandshakeReport()
        report.version = .tls13
        report.chain = try Self.pki.identity(.good).chain
        report.nativeTrust = .refused([.init(.unknownIssuer, "unknown")])
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "hand", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: trust, anchors: .none, instant: Self.pki.epoch)
        var check = Check(
            target: Target(name: try ServerName("mx.test"), port: 25), anchors: .none, trust: .reference)
        check.mailHosts = hosts
        let findings = check.connectionPolicy.judge(Evidence(connection: connection, model: nil), at: Self.pki.epoch)
        return Verdict(findings)
    }

    /// Records that can't be used leave nothing to trust, and root stores do not stand in for them (RFC 7672 section 2.2):
    /// whatever they decide, the verdict is the records' own.
    @Test(arguments: lesser) func rootStoresDecideNothing(
        answer: MailHost.Answer, code: String, outcome: Outcome
    ) throws {
        let host = MailHost(owner: "_25._tcp.mx.test", names: [], answer: answer)
        for trust in [nil, .accepted(path: nil), .refused([.init(.hostnameMismatch, "other")])] as [TrustReading?] {
            let verdict = try verdict([try ServerName("mx.test"): host], trust)
            #expect(verdict.outcome == outcome, "\(verdict)")
            #expect(verdict.findings.filter { $0.severity == .error }.map(\.code) == [code], "\(verdict)")
        }
    }

    /// A host whose records nobody asked for is not trusted by root stores either.
    @Test func aHostWithoutALookupFails() throws {
        let verdict = try verdict([:], .accepted(path: nil))
        #expect(verdict.outcome == .dnsIndeterminate && verdict.decidingFinding?.code == "dane-lookup-failed")
    }

    @Test func recordsThatCountAreJudged() throws {
        let usable = try host([record(3, 1, 1, [UInt8](repeating: 7, count: 32))])
        let name = try ServerName("mx.test")
        #expect(try verdict([name: usable], .refused([.init(.unknownIssuer, "other")])).outcome == .trustFailed)
        #expect(try verdict([name: usable], nil).outcome == .internalError)
        #expect(try verdict([name: usable], .accepted(path: nil)).outcome.isPass)
    }
}
