import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import SwiftASN1
import Testing
import X509

/// Chains made to keep a verifier busy. The bounds are for a build without optimisation, which takes some ten times as long as the
/// 100 ms of a release build.
@Suite(.serialized) struct HostileChainTests {
    static let pki = TestChain.pki
    static let bound = Duration.seconds(3)

    private func bounded(
        chain: [[UInt8]], anchors: [[UInt8]], _ comment: Comment? = nil
    ) async throws -> TrustReading {
        var answer: TrustReading?
        let time = try await Stopwatch.processorTimeOfTask {
            answer = try await TestChain.reading(chain: chain, anchors: anchors)
        }
        let reading = try #require(answer)
        #expect(time < Self.bound, "\(comment ?? "") \(time), \(reading.problems.map(\.cause))")
        return reading
    }

    private static func member(_ number: Int) -> LabCertificateRecipe { .authority("Mesh \(number)", issuer: nil) }

    /// Ten authorities, each certified by each other one: 90 certificates, and some ten million paths.
    private static func mesh() throws -> [[UInt8]] {
        try (0..<10).flatMap { subject in
            try (0..<10).filter { $0 != subject }.map { try pki.issue(member(subject), by: member($0)) }
        }
    }

    @Test func aMeshWithoutAnAnchorIsLeft() async throws {
        let leaf = try Self.pki.issue(.leaf("test"), by: Self.member(0))
        let chain = try [leaf] + Self.mesh()
        #expect(try await bounded(chain: chain, anchors: [Self.pki.issue(.root)]).cause == .unknownIssuer)
        // An anchor of the right name that signed nothing leads no further.
        let namesake = LabCertificateRecipe.authority("Mesh 9", issuer: nil) { $0.key = LabKeyID(.p256, "namesake") }
        #expect(try await !bounded(chain: chain, anchors: [Self.pki.issue(namesake)]).isAccepted)
    }

    @Test func aMeshWithAnAnchorIsCrossed() async throws {
        let leaf = try Self.pki.issue(.leaf("test"), by: Self.member(0))
        for anchor in [0, 9] {
            let root = try Self.pki.issue(Self.member(anchor))
            #expect(try await bounded(chain: [leaf] + Self.mesh(), anchors: [root]).isAccepted)
        }
    }

    /// Millions of complete paths, each of them refused.
    @Test func aMeshOfRefusedPathsIsGivenUp() async throws {
        let leaf = try Self.pki.issue(.leaf("test"), by: Self.member(0))
        let root = try Self.pki.issue(Self.member(9).changed { $0.validity = LabCertificateRecipe.days(-9, -1) })
        #expect(try await bounded(chain: [leaf] + Self.mesh(), anchors: [root]).cause == .tooComplex)
        // If the leaf itself is refused, not all of them have to be searched.
        let expired = try Self.pki.issue(
            .leaf("test") { $0.validity = LabCertificateRecipe.days(-9, -1) }, by: Self.member(0))
        #expect(try await bounded(chain: [expired] + Self.mesh(), anchors: [root]).cause == .expired)
    }

    /// Hundreds of certificates for one name, all of other keys: the one that fits is found, and without it there is an end.
    @Test func namesakesAreBounded() async throws {
        let namesakes = try (0..<300).map { number in
            try Self.pki.issue(
                .authority("Test Intermediate", issuer: nil) { $0.key = LabKeyID(.p256, "namesake \(number)") },
                by: .middle)
        }
        let leaf = try Self.pki.issue(.leaf("test"), by: .middle)
        let right = try Self.pki.issue(.middle, by: .root)
        let root = try Self.pki.issue(.root)
        #expect(try await bounded(chain: [leaf] + namesakes + [right], anchors: [root]).isAccepted)
        #expect(try await !bounded(chain: [leaf] + namesakes, anchors: [root]).isAccepted)
    }

    /// A thousand names in each of a hundred certificates, and constraints on all of them.
    @Test func namesAndConstraintsAreBounded() async throws {
        let names = try TestChain.names((0..<1000).map { .dnsName("name\($0).good.test") } + [.dnsName("good.test")])
        let constraints = try TestChain.constraints(excluded: (0..<1000).map { .dnsName("other\($0).test") })
        let authorities = (0..<30).map { number in
            LabCertificateRecipe.authority("Constrained \(number)", issuer: nil).with(names, constraints)
        }
        let time = try await Stopwatch.processorTimeOfTask {
            let reading = try await TestChain.reading(leaf: .leaf("test").with(names), below: authorities)
            #expect(reading.cause == .tooComplex, "\(reading.problems)")
        }
        #expect(time < .seconds(20), "making them takes most of it")
        let one = try await TestChain.reading(leaf: .leaf("test").with(names), below: [authorities[0], .root])
        #expect(one.cause == .tooComplex)
        let few = try TestChain.constraints(excluded: (0..<20).map { .dnsName("other\($0).test") })
        #expect(
            try await TestChain.reading(leaf: .leaf("test").with(names), below: [.middle.with(few), .root]).isAccepted)
    }

    /// Names too long to be real, and thousands of constraints to hold them against: refused, and soon.
    @Test(arguments: [
        GeneralName.rfc822Name("me@" + String(repeating: "a", count: 15_000)),
        .rfc822Name(String(repeating: "a", count: 15_000) + "@a.test"),
        .uniformResourceIdentifier("https://" + String(repeating: "a", count: 15_000) + "/"),
        .uniformResourceIdentifier("https://" + String(repeating: "a", count: 15_000) + "@a.test/"),
        .dnsName(String(repeating: "a.", count: 7500) + "test"),
    ])
    func longNamesAreBounded(name: GeneralName) async throws {
        let excluded = (0..<6000).map { number -> GeneralName in
            switch name {
            case .rfc822Name: .rfc822Name("other\(number).test")
            case .uniformResourceIdentifier: .uniformResourceIdentifier("other\(number).test")
            default: .dnsName("other\(number).test")
            }
        }
        let names = try TestChain.names([GeneralName](repeating: name, count: 10) + [.dnsName("good.test")])
        let authority = LabCertificateRecipe.middle.with(try TestChain.constraints(excluded: excluded))
        let chain = [
            try Self.pki.issue(.leaf("test").with(names), by: authority), try Self.pki.issue(authority, by: .root),
        ]
        let anchors = [try Self.pki.issue(.root)]
        #expect(try await bounded(chain: chain, anchors: anchors).cause == .constraintViolated)
    }

    /// A directory name may be as long as it likes: its bytes are paid for.
    @Test func longDirectoryNamesAreBounded() async throws {
        let long = try TestChain.name([(String(repeating: "é", count: 15_000), .utf8String)])
        let excluded = try (0..<2000).map { number -> GeneralName in
            .directoryName(
                try DistinguishedName(derEncoded: DER.parse(TestChain.name([("Other \(number)", .utf8String)]))))
        }
        let authority = LabCertificateRecipe.middle.with(try TestChain.constraints(excluded: excluded))
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.encodedSubject = long }
        let chain = [try Self.pki.issue(leaf, by: authority), try Self.pki.issue(authority, by: .root)]
        #expect(try await bounded(chain: chain, anchors: [Self.pki.issue(.root)]).cause == .tooComplex)
    }

    @Test func bytesAreBounded() async throws {
        let leaf = try Self.pki.identity(.good).chain
        let names = try TestChain.names((0..<1000).map { .dnsName("name\($0).good.test") })
        let large = try (0..<100).map { _ in try Self.pki.issue(.leaf("large").with(names)) }
        let anchors = try Self.pki.anchors().certificates
        #expect(try await bounded(chain: leaf + large, anchors: anchors).cause == .tooComplex)
        #expect(try await bounded(chain: leaf + large.prefix(5), anchors: anchors).isAccepted)
        let garbage = (0..<1000).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 20 + $0) }
        #expect(try await bounded(chain: leaf + garbage, anchors: anchors).isAccepted)
    }

    /// The library compares every extension and every purpose with every other one.
    @Test func extensionsAndPurposesAreBounded() async throws {
        let extensions = (0..<5000).map { LabExtension(oid: [2, 999, UInt($0)], isCritical: true, value: [5, 0]) }
        let middle = LabCertificateRecipe.middle.changed { $0.extensions = extensions }
        let chain = [try Self.pki.issue(.leaf("test"), by: .middle), try Self.pki.issue(middle, by: .root)]
        #expect(try await bounded(chain: chain, anchors: [Self.pki.issue(.root)]).cause == .tooComplex)

        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            for number in 0..<3000 { try coder.serialize(try ASN1ObjectIdentifier(elements: [2, 999, UInt(number)])) }
        }
        let purposes = LabExtension(oid: [2, 5, 29, 37], isCritical: false, value: coder.serializedBytes)
        let leaf = try Self.pki.issue(.leaf("test").with(purposes), by: .root)
        #expect(try await bounded(chain: [leaf], anchors: [Self.pki.issue(.root)]).cause == .malformed)
    }

    /// A key above 8192 bits is not computed with, whether the issuer's or the leaf's.
    @Test(arguments: [(8192, TrustCause.badSignature), (8200, .tooComplex), (16384, .tooComplex), (65536, .tooComplex)])
    func giantKeysAreNotUsed(bits: Int, cause: TrustCause) async throws {
        let issuer = LabCertificateRecipe.middle.changed { $0.key = LabKeyID(.rsa2048, "authority") }
        let middle = try Self.withKey(ofBits: bits, Self.pki.issue(issuer, by: .root))
        let leaf = try Self.pki.issue(.leaf("test") { $0.key = LabKeyID(.rsa2048, "leaf") }, by: issuer)
        let chain = [leaf, middle]
        let anchors = [try Self.pki.issue(.root)]
        #expect(try await bounded(chain: chain, anchors: anchors).cause == cause)
        let giant = try Self.withKey(ofBits: bits, leaf)
        #expect(try await bounded(chain: [giant], anchors: anchors).isAccepted == false)
    }

    /// Returns the certificate with an RSA key of that length in it, which has no private half.
    private static func withKey(ofBits bits: Int, _ certificate: [UInt8]) throws -> [UInt8] {
        let modulus = [0] + [0xc1] + [UInt8](repeating: 0x5b, count: bits / 8 - 1)
        var key = DER.Serializer()
        try key.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .integer) { $0.append(contentsOf: modulus) }
            try coder.serialize(65537)
        }
        var spki = DER.Serializer()
        try spki.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize([1, 2, 840, 113549, 1, 1, 1] as ASN1ObjectIdentifier)
                try coder.serialize(ASN1Null())
            }
            try coder.serialize(ASN1BitString(bytes: key.serializedBytes[...]))
        }
        return try TestChain.replacingKey(of: certificate, with: spki.serializedBytes)
    }
}
