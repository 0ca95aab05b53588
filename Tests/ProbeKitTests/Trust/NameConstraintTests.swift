import ProbeKit
import ProbeLab
import SwiftASN1
import Testing
import X509

/// Name constraints as RFC 5280 section 4.2.1.10 has them, as verdicts of the reference verifier.
@Suite struct NameConstraintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: GeneralName
        let subtree: GeneralName
        let isInside: Bool?
        var testDescription: String { "\(name) in \(subtree): \(isInside.map { "\($0)" } ?? "can't be compared")" }

        init(_ name: GeneralName, in subtree: GeneralName, _ isInside: Bool?) {
            (self.name, self.subtree, self.isInside) = (name, subtree, isInside)
        }
    }

    private static func bytes(_ bytes: [UInt8]) -> GeneralName { .ipAddress(ASN1OctetString(contentBytes: bytes[...])) }
    private static let any16 = [UInt8](repeating: 0, count: 32)

    static let cases: [Case] = [
        Case(.dnsName("a.test"), in: .dnsName("a.test"), true),
        Case(.dnsName("A.Test"), in: .dnsName("a.tEST"), true),
        Case(.dnsName("b.a.test"), in: .dnsName("a.test"), true),
        Case(.dnsName("ba.test"), in: .dnsName("a.test"), false),
        Case(.dnsName("test"), in: .dnsName("a.test"), false),
        Case(.dnsName("a.test"), in: .dnsName(""), true),
        Case(.dnsName("*.a.test"), in: .dnsName("a.test"), true),
        Case(.dnsName("a.test"), in: .dnsName(".a.test"), false),
        Case(.dnsName("b.a.test"), in: .dnsName(".a.test"), true),
        Case(.dnsName("ba.test"), in: .dnsName(".a.test"), false),
        Case(.dnsName("*.a.test"), in: .dnsName(".a.test"), true),
        Case(.dnsName("*.test"), in: .dnsName(".a.test"), false),
        Case(.dnsName("a.test"), in: .dnsName("."), nil),
        Case(.dnsName("a.test"), in: .dnsName("..a.test"), nil),
        Case(.dnsName("a..test"), in: .dnsName("a.test"), nil),
        Case(.dnsName("b.a.test."), in: .dnsName("a.test"), nil),
        Case(.dnsName(".a.test"), in: .dnsName("a.test"), nil),
        Case(.dnsName("b*.a.test"), in: .dnsName("a.test"), nil),
        Case(.dnsName("b a.test"), in: .dnsName("a.test"), nil),
        Case(.dnsName("b_c.a.test"), in: .dnsName("a.test"), true),
        Case(.dnsName(String(repeating: "b", count: 64) + ".a.test"), in: .dnsName("a.test"), nil),
        Case(.dnsName("a.test"), in: .dnsName("*.test"), nil),
        Case(bytes([10, 1, 2, 3]), in: bytes([10, 0, 0, 0, 255, 0, 0, 0]), true),
        Case(bytes([11, 1, 2, 3]), in: bytes([10, 0, 0, 0, 255, 0, 0, 0]), false),
        Case(bytes([10, 1, 2, 3]), in: bytes([10, 1, 2, 3, 255, 255, 255, 255]), true),
        Case(bytes([10, 1, 2, 3]), in: bytes([0, 0, 0, 0, 0, 0, 0, 0]), true),
        Case(bytes([10, 1, 2, 3]), in: bytes([10, 0, 0, 0, 255, 0, 255, 0]), nil),
        Case(bytes([10, 1, 2, 3]), in: bytes([10, 0, 0, 0, 0, 255, 255, 255]), nil),
        Case(bytes([10, 1, 2, 3]), in: bytes([10, 0, 0, 0]), nil),
        Case(bytes([10, 1, 2, 3]), in: bytes(any16), false),
        Case(bytes([UInt8](repeating: 1, count: 16)), in: bytes(any16), true),
        Case(.rfc822Name("me@a.test"), in: .rfc822Name("me@A.test"), true),
        Case(.rfc822Name("Me@a.test"), in: .rfc822Name("me@a.test"), false),
        Case(.rfc822Name("me@a.test"), in: .rfc822Name("a.test"), true),
        Case(.rfc822Name("me@b.a.test"), in: .rfc822Name("a.test"), false),
        Case(.rfc822Name("me@b.a.test"), in: .rfc822Name(".a.test"), true),
        Case(.rfc822Name("me@a.test"), in: .rfc822Name(".a.test"), false),
        Case(.rfc822Name("m e@a.test"), in: .rfc822Name("a.test"), nil),
        Case(.rfc822Name("m@e@a.test"), in: .rfc822Name("a.test"), nil),
        Case(.rfc822Name("me.@a.test"), in: .rfc822Name("a.test"), nil),
        Case(.rfc822Name("me@a..test"), in: .rfc822Name("a.test"), nil),
        Case(.rfc822Name("nobody"), in: .rfc822Name("a.test"), nil),
        Case(.uniformResourceIdentifier("https://a.test/x"), in: .uniformResourceIdentifier("a.test"), true),
        Case(.uniformResourceIdentifier("https://me@A.test:1/x"), in: .uniformResourceIdentifier("a.test"), true),
        Case(.uniformResourceIdentifier("https://b.a.test"), in: .uniformResourceIdentifier("a.test"), false),
        Case(.uniformResourceIdentifier("https://b.a.test"), in: .uniformResourceIdentifier(".a.test"), true),
        Case(.uniformResourceIdentifier("https://a.test"), in: .uniformResourceIdentifier(".a.test"), false),
        Case(.uniformResourceIdentifier("https://10.1.2.3/"), in: .uniformResourceIdentifier("a.test"), nil),
        Case(.uniformResourceIdentifier("urn:a.test"), in: .uniformResourceIdentifier("a.test"), nil),
        Case(
            .uniformResourceIdentifier("https://a.test/" + String(repeating: "x", count: 5000)),
            in: .uniformResourceIdentifier("a.test"), true),
        Case(.uniformResourceIdentifier("urn:x?y=http://a.test"), in: .uniformResourceIdentifier("a.test"), nil),
        Case(.uniformResourceIdentifier("https://a.test"), in: .uniformResourceIdentifier("."), nil),
        Case(.dnsName(String(repeating: "a", count: 249) + ".a.test"), in: .dnsName("a.test"), nil),
        Case(.rfc822Name(String(repeating: "a", count: 314) + "@a.test"), in: .rfc822Name("a.test"), nil),
        Case(.registeredID([1, 2, 3]), in: .registeredID([1, 2]), nil),
        Case(
            .otherName(.init(typeID: [1, 2, 3], value: nil)), in: .otherName(.init(typeID: [1, 2, 3], value: nil)), nil),
    ]

    /// One constraint, one name of its type beside the server's.
    @Test(arguments: cases) func namesOfATypeAreCompared(_ example: Case) async throws {
        let leaf = LabCertificateRecipe.leaf("test").with(try TestChain.names([.dnsName("good.test"), example.name]))
        let permitted = example.subtree.isDNS ? [example.subtree, .dnsName("good.test")] : [example.subtree]
        let inside = try await TestChain.reading(
            leaf: leaf, below: [.middle.with(try TestChain.constraints(permitted: permitted)), .root])
        let isReadable = example.isInside != nil
        // The empty DNS subtree holds the server's own name as well.
        #expect(inside.isAccepted == (example.isInside ?? false), "\(inside.problems)")
        let excluded = try await TestChain.reading(
            leaf: leaf, below: [.middle.with(try TestChain.constraints(excluded: [example.subtree])), .root])
        #expect(excluded.isAccepted == (isReadable && example.isInside == false), "\(excluded.problems)")
        for reading in [inside, excluded] where !reading.isAccepted { #expect(reading.cause == .constraintViolated) }
    }

    /// A constraint of an incomparable type matters only if a name of that type is present.
    @Test func unknownTypesMatterWhenPresent() async throws {
        let constraint = try TestChain.constraints(excluded: [.registeredID([1, 2, 3])])
        #expect(try await TestChain.reading(below: [.middle.with(constraint), .root]).isAccepted)
    }

    /// An excluded name is excluded if a wildcard matches it; a permitted one permits no wildcard above it.
    @Test(arguments: [
        ("www.wild.test", true, false), ("wild.test", true, false), ("a.www.wild.test", true, true),
        ("other.test", true, true), ("www.wild.test", false, false), ("wild.test", false, true),
    ])
    func wildcards(subtree: String, isExcluded: Bool, isAccepted: Bool) async throws {
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.dnsNames = ["*.wild.test"] }
        let subtrees = [GeneralName.dnsName(subtree)]
        let constraint = try TestChain.constraints(
            permitted: isExcluded ? [] : subtrees, excluded: isExcluded ? subtrees : [])
        let reading = try await TestChain.reading(
            leaf: leaf, below: [.middle.with(constraint), .root], name: "one.wild.test")
        #expect(reading.isAccepted == isAccepted, "\(reading.problems)")
    }

    /// Directory names: the constraint is a prefix, spelled in any way.
    @Test(arguments: [
        (["Test", "good"], true), (["tEST"], true), ([" test  "], true), (["Other"], false),
        (["Test", "good", "more"], false), (["Test", "goo"], false), ([], true),
    ])
    func directoryNamesArePrefixes(base: [String], isInside: Bool) async throws {
        let subject = try TestChain.name([("Test", .utf8String), ("Good", .utf8String)])
        let subtree = try DistinguishedName(
            derEncoded: DER.parse(TestChain.name(base.map { ($0, .printableString) })))
        let leaf = LabCertificateRecipe.leaf("test").changed { $0.encodedSubject = subject }
        for isExcluded in [false, true] {
            let constraint = try TestChain.constraints(
                permitted: isExcluded ? [] : [.directoryName(subtree)],
                excluded: isExcluded ? [.directoryName(subtree)] : [])
            let reading = try await TestChain.reading(leaf: leaf, below: [.middle.with(constraint), .root])
            #expect(reading.isAccepted == (isInside != isExcluded), "\(reading.problems)")
        }
    }

    /// The names of intermediates count too, those of self-issued ones do not.
    @Test func everyCertificateBelowIsConstrained() async throws {
        let forbidden = try TestChain.names([.dnsName("other.test")])
        let constraint = try TestChain.constraints(permitted: [.dnsName("good.test")])
        let top = LabCertificateRecipe.authority("Test Top", issuer: nil).with(constraint)
        let refused = try await TestChain.reading(below: [.middle.with(forbidden), top, .root])
        #expect(refused.cause == .constraintViolated)
        let again = LabCertificateRecipe.authority("Test Top", issuer: nil) { $0.key = LabKeyID(.p256, "again") }
        #expect(try await TestChain.reading(below: [again.with(forbidden), top, .root]).isAccepted)
        // A constraint of the anchor's binds as well.
        #expect(
            try await TestChain.reading(below: [.middle.with(forbidden), .root.with(constraint)]).cause
                == .constraintViolated)
    }

    /// Without alternative names a mail address in the subject is one (RFC 5280 section 4.2.1.10).
    @Test func mailAddressesInSubjectsAreConstrained() async throws {
        let subject = try DistinguishedName([
            RelativeDistinguishedName(.init(type: [1, 2, 840, 113549, 1, 9, 1], ia5String: "me@a.test"))
        ])
        var coder = DER.Serializer()
        try coder.serialize(subject)
        let encoded = coder.serializedBytes
        let leaf = LabCertificateRecipe.leaf("test").changed {
            $0.encodedSubject = encoded
            $0.dnsNames = []
        }
        for (host, isAccepted) in [("a.test", false), ("b.test", true)] {
            let constraint = try TestChain.constraints(excluded: [.rfc822Name(host)])
            let reading = try await TestChain.reading(leaf: leaf, below: [.middle.with(constraint), .root], name: nil)
            #expect(reading.isAccepted == isAccepted, "\(reading.problems)")
        }
    }

    /// Issuers are found by name however it is spelled (RFC 5280 section 7.1).
    @Test(arguments: [("TEST root", true), (" Test  Root ", true), ("Test Roots", false)])
    func issuersAreFoundBySpelling(name: String, isFound: Bool) async throws {
        let root = try TestChain.pki.issue(.root)
        let subject = try TestChain.name([(name, .printableString)])
        let leaf = try TestChain.pki.issue(.leaf("test"), by: .root.changed { $0.encodedSubject = subject })
        let reading = try await TestChain.reading(chain: [leaf], anchors: [root])
        #expect(reading.cause == (isFound ? nil : .unknownIssuer), "\(reading.problems)")
    }
}

extension GeneralName {
    fileprivate var isDNS: Bool { if case .dnsName = self { true } else { false } }
}
