import Foundation
import ProbeLab
import ProbePins
import ProbeTrust
import SwiftASN1
import Testing
import X509

@testable import ProbeKit
@testable import ProbeSignatures

/// Conditions of the trust and transport security rules that only one place in a path shows.
@Suite struct TrustJudgingTests {
    private static let pki = TestChain.pki

    /// RFC 5280 section 6.1.3 (b): a self-issued certificate is excepted from its issuers' constraints unless it is the leaf.
    @Test func aSelfIssuedLeafIsHeldToItsIssuersConstraints() async throws {
        let constraints = try TestChain.constraints(excluded: [.dnsName("good.test")])
        let namesake = LabCertificateRecipe.leaf("self-issued") { $0.commonName = LabCertificateRecipe.root.commonName }
        let free = try await TestChain.reading(leaf: namesake, below: [.root])
        #expect(free.isAccepted, "\(free.problems)")
        let bound = try await TestChain.reading(leaf: namesake, below: [.root.with(constraints)])
        #expect(bound.cause == .constraintViolated, "\(bound.problems)")
        // Only the certificate itself is excepted: one that has the name and is not a leaf hides nothing below it.
        let middle = LabCertificateRecipe.root.changed { $0.key = LabKeyID(.p256, "self-issued middle") }
        let below = try await TestChain.reading(below: [middle, .root.with(constraints)])
        #expect(below.cause == .constraintViolated, "\(below.problems)")
    }

    /// A leaf that is an anchor is trusted by itself, and its key is judged like any leaf's.
    @Test func anAnchorAsLeafMayHaveNoGiantKey() async throws {
        let leaf = try Self.pki.identity(.good).leaf
        for (bits, cause) in [(8192, TrustCause?.none), (8200, .tooComplex), (16_384, .tooComplex)] {
            let certificate = try TestChain.replacingKey(of: leaf, with: Self.rsaKey(bits: bits))
            let reading = try await TestChain.reading(chain: [certificate], anchors: [certificate])
            #expect(reading.cause == cause, "\(bits) bits: \(reading.problems)")
        }
    }

    /// RFC 6960 section 4.2.2.1: newer information is always available, so such an answer proves nothing about this
    /// moment.
    @Test(arguments: [LabOCSPResponse.Status.good, .revoked])
    func aStapleWithoutAnEndIsNotCurrent(status: LabOCSPResponse.Status) async throws {
        let identity = try Self.pki.identity(.mustStaple)
        let response = LabOCSPResponse(status) { $0.hasNextUpdate = false }
        let reading = try await TestChain.reading(
            chain: identity.chain, anchors: Self.pki.anchors().certificates,
            staple: .present(Self.pki.encode(response, about: identity.leaf)))
        #expect(reading.cause == .constraintViolated, "\(reading.problems)")
        #expect(reading.problems.first?.message.contains("not current") == true)
    }

    /// Roots are excepted from the rules on keys, a leaf that names itself as its issuer is not.
    @Test func aSelfIssuedLeafWithAWeakKeyFailsAppTransportSecurity() throws {
        let weak = LabCertificateRecipe.leaf("weak self-issued", issuer: nil) { $0.key = LabKeyID(.rsa1024, "leaf") }
        let leaf = try TestConnection.pki.issue(weak)
        let other = try TestConnection.pki.certificate(of: .root)
        let findings = ATSPolicy().judge(TestConnection.evidence(path: [leaf, other]), at: TestConnection.pki.epoch)
        #expect(findings.contains { $0.code == "ats-key-size" && $0.severity == .error }, "\(findings.map(\.code))")
    }

    /// Returns an RSA key with a modulus of this size, as SubjectPublicKeyInfo; it has no private half.
    private static func rsaKey(bits: Int) throws -> [UInt8] {
        var key = DER.Serializer()
        key.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .integer) { bytes in
                bytes.append(contentsOf: [0] + [UInt8](repeating: 0xff, count: bits / 8))
            }
            coder.appendPrimitiveNode(identifier: .integer) { $0.append(contentsOf: [1, 0, 1]) }
        }
        var spki = DER.Serializer()
        try spki.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize([1, 2, 840, 113_549, 1, 1, 1] as ASN1ObjectIdentifier)
                try coder.serialize(ASN1Null())
            }
            try coder.serialize(ASN1BitString(bytes: key.serializedBytes[...]))
        }
        return spki.serializedBytes
    }
}

/// Conditions of the DNS decoder that only a record of another class shows.
@Suite struct DNSJudgingTests {
    /// An alias of class CH is not of the requested class: the record at its end does not count.
    @Test func anAliasOfAnotherClassLeadsNowhere() throws {
        let target = try DNSName("list.models.test")
        let alias = LabDNSRecord(type: 5, recordClass: 3, data: target.wireBytes)
        let reading = try LabReply.read(LabDNSMessage(answers: [alias, .txt("dc", owner: target)]))
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("read as \(reading)")
            return
        }
        #expect(doubt.code == "foreign-answer", "\(doubt)")
        // The alias of our class beside it is the one that counts.
        let both = try LabReply.read(LabDNSMessage(answers: [alias, .cname(target), .txt("dc", owner: target)]))
        guard case .records(let records) = both else {
            Issue.record("read as \(both)")
            return
        }
        #expect(records.map(\.owner) == [target])
    }
}

/// Conditions on the signing certificate of a message.
@Suite struct SignerJudgingTests {
    private static let pki = TestChain.pki

    /// Of several common names some readers take the first and some the last: two that both meet the rule are one too many.
    @Test func twoCommonNamesAreOneTooMany() throws {
        for (names, isAccepted) in [(["a.lab.test"], true), (["a.lab.test", "b.lab.test"], false)] {
            let recipe = LabCMSRecipe {
                $0.signers[0].certificate.encodedSubject = try? TestChain.name(names.map { ($0, .utf8String) })
            }
            let message = try Self.pki.sign(recipe)
            let signer = TrustedSigner(
                name: "lab", certificates: try Self.pki.anchors().certificates,
                commonName: try TrustedSigner.CommonNameRule(".lab.test"))
            let certificate = try SigningCertificate(in: CMSMessage(signature: message.bytes))
            let problems = certificate.constraintProblems(signer)
            #expect(problems.isEmpty == isAccepted, "\(names): \(problems)")
        }
    }
}

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
