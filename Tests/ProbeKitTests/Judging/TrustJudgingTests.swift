import ProbeKit
import ProbeLab
import ProbeTrust
import SwiftASN1
import Testing
import X509

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
