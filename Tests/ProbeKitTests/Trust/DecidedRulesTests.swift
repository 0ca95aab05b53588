import ProbeKit
import ProbeLab
import SwiftASN1
import Testing
import X509

/// Decisions where the stacks differ, row by row, as far as the lab's identities do not show them.
@Suite struct DecidedRulesTests {
    static let pki = TestChain.pki

    private static let critical: [(LabExtension, TrustCause?, ofTheRoot: TrustCause?)] = [
        // Authority and subject key identifier, authority information access: never critical (RFC 5280 4.2.1.1, 4.2.1.2,
        // 4.2.2.1).
        (
            LabExtension(oid: [2, 5, 29, 35], isCritical: true, value: [0x30, 0x00]), .constraintViolated,
            .constraintViolated
        ),
        (
            LabExtension(oid: [2, 5, 29, 14], isCritical: true, value: [0x04, 0x01, 0x01]), .constraintViolated,
            .constraintViolated
        ),
        (
            LabExtension(
                oid: [1, 3, 6, 1, 5, 5, 7, 1, 1], isCritical: true,
                value: [
                    0x30, 0x10, 0x30, 0x0e, 0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x86, 0x02,
                    0x61,
                    0x3a,
                ]), .constraintViolated, .constraintViolated
        ),
        (.unknownCritical, .constraintViolated, .constraintViolated),
        // Certificate policies, mappings, constraints and inhibitAnyPolicy; the leaf has no policy, and an anchor requires
        // none.
        (.criticalPolicies, nil, nil), (.policyConstraints(require: 0), .constraintViolated, nil),
        (.inhibitAny(0), nil, nil),
        // A relied-on extension that can't be read, or is empty.
        (LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: [0x30, 0x01]), .malformed, .malformed),
        (LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: [0x30, 0x00]), .malformed, .malformed),
        (
            LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: [0x30, 0x02, 0xa0, 0x00]), .malformed, .malformed
        ),
    ]

    /// On an intermediate, and on the root too.
    @Test(arguments: critical.indices) func criticalExtensions(_ index: Int) async throws {
        let (ext, cause, ofTheRoot) = Self.critical[index]
        let middle = try await TestChain.reading(below: [.middle.with(ext), .root])
        #expect(middle.cause == cause, "\(middle.problems)")
        let root = try await TestChain.reading(below: [.middle, .root.with(ext)])
        #expect(root.cause == ofTheRoot, "\(root.problems)")
    }

    /// A key usage that can't be read limits no anchor: two roots of the public CA bundles have one with stray bits.
    @Test func anUnreadableKeyUsage() async throws {
        let stray = LabExtension(oid: [2, 5, 29, 15], isCritical: true, value: [0x03, 0x02, 0x02, 0x07])
        #expect(try await TestChain.reading(below: [.middle.with(stray), .root]).cause == .malformed)
        #expect(try await TestChain.reading(below: [.middle, .root.with(stray)]).isAccepted)
    }

    /// Whatever is given as an anchor is one, but its validity, and that it may issue, is judged.
    @Test func anchorsAreJudged() async throws {
        #expect(try await TestChain.reading(below: [.middle, .root], anchors: 1).isAccepted)
        // Two anchors: the path ends at the nearer one, which did not sign itself.
        #expect(try await TestChain.reading(below: [.middle, .root], anchors: 2).path?.count == 2)
        let expired = LabCertificateRecipe.root.changed { $0.validity = LabCertificateRecipe.days(-9, -1) }
        #expect(try await TestChain.reading(below: [expired]).cause == .expired)
        let notAnAuthority = LabCertificateRecipe.root.changed { $0.role = .leaf }
        #expect(try await TestChain.reading(below: [notAnAuthority]).cause == .constraintViolated)
        let noSigning = LabCertificateRecipe.root.changed { $0.keyUsage = .digitalSignature }
        #expect(try await TestChain.reading(below: [noSigning]).cause == .constraintViolated)
    }

    /// An anchor's own purposes restrict the certificates below it, like those of the CAs between.
    @Test func anchorsRestrictPurposes() async throws {
        let client = LabCertificateRecipe.root.changed { $0.purposes = [.client] }
        #expect(try await TestChain.reading(below: [client]).cause == .wrongPurpose)
        #expect(try await TestChain.reading(below: [client, .middle]).cause == .wrongPurpose)
        // It is trusted to name any purpose beside.
        let both = LabCertificateRecipe.root.changed { $0.purposes = [.server, .any] }
        #expect(try await TestChain.reading(below: [both]).isAccepted)
        let weak = LabCertificateRecipe.root.changed { $0.key = LabKeyID(.rsa1024, "leaf") }
        #expect(try await TestChain.reading(below: [weak]).cause == .weakKey)
    }

    /// An anchor is a name and a key: neither what it was signed with matters nor its serial number. Below it both do.
    @Test(
        arguments: [
            // MD2, MD5, SHA-1 with ECDSA, DSA, RSASSA-PSS without parameters, and Ed448.
            [1, 2, 840, 113549, 1, 1, 2], [1, 2, 840, 113549, 1, 1, 4], [1, 2, 840, 10045, 4, 1],
            [1, 2, 840, 10040, 4, 3], [1, 2, 840, 113549, 1, 1, 10], [1, 3, 101, 113],
        ] as [ASN1ObjectIdentifier])
    func noAnchorIsJudgedByItsSignature(algorithm: ASN1ObjectIdentifier) async throws {
        let root = try Self.pki.issue(.root, by: .root)
        let middle = try TestChain.replacingAlgorithm(of: Self.pki.issue(.middle, by: .root), with: algorithm)
        let leaf = try Self.pki.issue(.leaf("test"), by: .middle)
        let accepted = try await TestChain.reading(chain: [leaf], anchors: [middle])
        #expect(accepted.isAccepted, "\(accepted.problems)")
        // A copy in the chain changes nothing. The same verifier judges it where it is not an anchor.
        #expect(try await TestChain.reading(chain: [leaf, middle], anchors: [middle]).isAccepted)
        #expect(try await !TestChain.reading(chain: [leaf, middle], anchors: [root]).isAccepted)
        let odd = try TestChain.replacingAlgorithm(of: leaf, with: algorithm)
        #expect(try await TestChain.reading(chain: [odd], anchors: [odd]).isAccepted)
        #expect(try await !TestChain.reading(chain: [odd], anchors: [root]).isAccepted)
    }

    @Test func anAnchorsSerialNumberMayBeNegative() async throws {
        let negative = LabCertificateRecipe.root.changed { $0.serial = [0x85] }
        #expect(try await TestChain.reading(below: [negative]).isAccepted)
        let middle = LabCertificateRecipe.middle.changed { $0.serial = [0x85] }
        #expect(try await TestChain.reading(below: [middle, .root]).cause == .malformed)
    }

    /// A leaf among the anchors is accepted with a warning, an authority as well; everything but its place is judged still.
    @Test(arguments: [
        (LabIdentityName.good, TrustCause?.none), (.authorityAsLeaf, .wrongPurpose), (.signingAuthorityAsLeaf, nil),
        (.expired, .expired), (.wrongName, .hostnameMismatch), (.clientPurpose, .wrongPurpose), (.rsa1024, .weakKey),
    ])
    func leavesAmongAnchors(identity: LabIdentityName, cause: TrustCause?) async throws {
        let leaf = try Self.pki.identity(identity).leaf
        let reading = try await TestChain.reading(chain: [leaf], anchors: [leaf])
        #expect(reading.cause == cause, "\(reading.problems)")
        #expect(reading.remarks.map(\.code) == (cause == nil ? ["anchor-as-leaf"] : []))
    }

    /// Version 1 has no extensions: no CA below the anchor, and no server's name.
    @Test func versionOneIsRefusedBelowTheAnchor() async throws {
        let middle = LabCertificateRecipe.middle.changed { $0.isVersionOne = true }
        #expect(try await TestChain.reading(below: [middle, .root]).cause == .constraintViolated)
        #expect(try await TestChain.reading(below: [.root.changed { $0.isVersionOne = true }]).isAccepted)
        // An anchor without a stated role is a CA all the same; one that states that it is not a CA is not.
        let silent = LabCertificateRecipe.root.changed { $0.leavesOutRole = true }
        #expect(try await TestChain.reading(below: [silent]).isAccepted)
        let middleSilent = LabCertificateRecipe.middle.changed { $0.leavesOutRole = true }
        #expect(try await TestChain.reading(below: [middleSilent, .root]).cause == .constraintViolated)
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.isVersionOne = true }
        #expect(try await TestChain.reading(leaf: leaf).cause == .hostnameMismatch)
    }

    @Test(
        arguments: [
            ([.server], nil), ([.server, .client], nil), ([.server, .any], .wrongPurpose), ([.any], .wrongPurpose),
            ([.client], .wrongPurpose), ([], .wrongPurpose),
        ] as [([LabPurpose], TrustCause?)])
    func purposes(_ purposes: [LabPurpose], cause: TrustCause?) async throws {
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.purposes = purposes }
        #expect(try await TestChain.reading(leaf: leaf).cause == cause)
        let middle = LabCertificateRecipe.middle.changed { $0.purposes = purposes }
        #expect(try await TestChain.reading(below: [middle, .root]).cause == cause)
        #expect(try await TestChain.reading(leaf: leaf, below: [middle, .root], purpose: .any).isAccepted)
    }

    @Test(
        arguments: [
            (nil, nil), (.digitalSignature, nil), ([.digitalSignature, .keyEncipherment], nil),
            (.keyEncipherment, .wrongPurpose), (.certificateSigning, .constraintViolated),
            ([.digitalSignature, .certificateSigning], .constraintViolated),
        ] as [(LabKeyUsage?, TrustCause?)])
    func keyUsages(usage: LabKeyUsage?, cause: TrustCause?) async throws {
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.keyUsage = usage }
        #expect(try await TestChain.reading(leaf: leaf).cause == cause)
    }

    @Test(arguments: [(LabKeyUsage?.none, true), (.certificateSigning, true), (.crlSigning, false)])
    func authoritiesSign(usage: LabKeyUsage?, isAccepted: Bool) async throws {
        let middle = LabCertificateRecipe.middle.changed { $0.keyUsage = usage }
        #expect(try await TestChain.reading(below: [middle, .root]).isAccepted == isAccepted)
    }

    /// The root's path length binds as well, and self-issued authorities do not count.
    @Test func pathLengths() async throws {
        let zero = LabCertificateRecipe.root.changed { $0.role = .authority(pathLength: 0) }
        #expect(try await TestChain.reading(below: [zero]).isAccepted)
        #expect(try await TestChain.reading(below: [.middle, zero]).cause == .constraintViolated)
        let again = LabCertificateRecipe.root.changed { $0.key = LabKeyID(.p256, "again") }
        #expect(try await TestChain.reading(below: [again, zero]).isAccepted)
        // Self-issued as names compare, not as bytes do.
        let spelled = try TestChain.name([("TEST  root", .printableString)])
        #expect(try await TestChain.reading(below: [again.changed { $0.encodedSubject = spelled }, zero]).isAccepted)
    }

    /// Keys no public CA may certify, and signatures none may make, on the leaf or an intermediate.
    @Test(
        arguments: [
            ([[1, 2, 840, 10040, 4, 1]], TrustCause.weakKey),
            ([[1, 2, 840, 10045, 2, 1], [1, 2, 840, 10045, 3, 1, 1]], .weakKey),
            ([[1, 2, 840, 10045, 2, 1], [1, 3, 132, 0, 10]], .weakKey), ([[1, 2, 840, 113549, 1, 1, 10]], .weakKey),
        ] as [([ASN1ObjectIdentifier], TrustCause)])
    func refusedKeys(algorithm: [ASN1ObjectIdentifier], cause: TrustCause) async throws {
        var spki = DER.Serializer()
        try spki.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serializeSequenceOf(algorithm)
            try coder.serialize(ASN1BitString(bytes: [UInt8](repeating: 4, count: 65)[...]))
        }
        let chain = try Self.pki.identity(.good).chain
        let anchors = try Self.pki.anchors().certificates
        let leaf = try TestChain.replacingKey(of: chain[0], with: spki.serializedBytes)
        #expect(try await TestChain.reading(chain: [leaf, chain[1]], anchors: anchors).cause == cause)
        let middle = try TestChain.replacingKey(of: chain[1], with: spki.serializedBytes)
        #expect(try await TestChain.reading(chain: [chain[0], middle], anchors: anchors).cause == cause)
    }

    @Test(
        arguments: [
            [1, 2, 840, 113549, 1, 1, 4], [1, 3, 14, 3, 2, 29], [1, 2, 840, 10045, 4, 1], [1, 2, 840, 10040, 4, 3],
        ] as [ASN1ObjectIdentifier])
    func refusedSignatures(algorithm: ASN1ObjectIdentifier) async throws {
        // The arcs of sha256WithRSAEncryption, replaced in both places by ones of any length.
        let leaf = try Self.pki.identity(.rsa2048).chain
        let signed = try TestChain.replacingAlgorithm(of: leaf[0], with: algorithm)
        let reading = try await TestChain.reading(
            chain: [signed] + leaf.dropFirst(), anchors: Self.pki.anchors().certificates)
        #expect(reading.cause == .weakSignature, "\(reading.problems)")
    }

    /// PSS is read with the parameters public CAs may use, and the signature is checked.
    @Test func pssSignaturesAreChecked() async throws {
        let chain = try Self.pki.identity(.pssSignature).chain
        let anchors = try Self.pki.anchors().certificates
        #expect(try await TestChain.reading(chain: chain, anchors: anchors).path == chain + anchors)
        var broken = chain
        broken[0][chain[0].count - 1] ^= 1
        #expect(try await TestChain.reading(chain: broken, anchors: anchors).cause == .badSignature)
        // The salt's length, the last byte of the parameters in the outer algorithm.
        let marker: [UInt8] = [0xa2, 0x03, 0x02, 0x01, 0x20]
        var other = chain
        while let range = other[0].firstRange(of: marker) { other[0][range.upperBound - 1] = 0x21 }
        #expect(try await TestChain.reading(chain: other, anchors: anchors).cause == .other)
    }
}
