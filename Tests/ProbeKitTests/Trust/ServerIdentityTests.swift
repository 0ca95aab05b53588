import ProbeKit
import ProbeLab
import ProbePlatform
import SwiftASN1
import Testing
import X509

@testable import ProbeTrust

/// The matching of names (RFC 9525), at the edges of every form.
@Suite struct ServerIdentityTests {
    static let hosts: [(pattern: String, host: String, matches: Bool, reason: String)] = [
        ("a.test", "a.test", true, "the same name"), ("A.Test", "a.test", true, "case does not count"),
        ("a.test", "b.test", false, "another name"), ("a.test", "b.a.test", false, "a name below it"),
        ("a.test.", "a.test", false, "a period more"), ("", "a.test", false, "no name"),
        ("*.a.test", "b.a.test", true, "one whole label"), ("*.A.test", "b.a.test", true, "case does not count"),
        ("*.a.test", "bc.a.test", true, "a longer label"), ("*.a.test", "a.test", false, "no label"),
        ("*.a.test", ".a.test", false, "an empty label"), ("*.a.test", "c.b.a.test", false, "two labels"),
        ("*.a.test", "b.c.test", false, "another domain"), ("*.a.test", "xxxx.a.tests", false, "a longer domain"),
        ("*.test", "a.test", false, "a wildcard over a top-level domain"),
        ("*.*.test", "a.*.test", false, "two wildcards"), ("*.a.*", "b.a.*", false, "a wildcard that ends a name"),
        ("a.*.test", "a.*.test", false, "a wildcard inside"), ("b*.test", "b*.test", false, "a part of a label"),
        ("*", "*", false, "a wildcard alone"), ("*", "test", false, "a wildcard for a single label"),
        ("*.a.b", "abcdef", false, "a host of a single label"),
        ("*.\u{212a}.test", "abcdef.k.test", false, "a letter whose lower case is ASCII"),
    ]

    @Test(arguments: hosts) func aPatternCoversHosts(pattern: String, host: String, matches: Bool, reason: String) {
        #expect(ServerIdentity.dnsName(pattern, matches: host) == matches)
    }

    @Test func aNameIsOfTheKindThatIsAskedFor() throws {
        let address = ASN1OctetString(contentBytes: [192, 0, 2, 1])
        let names = SubjectAlternativeNames([
            .rfc822Name("a.test"), .uniformResourceIdentifier("b.test"), .dnsName("192.0.2.2"), .dnsName("c.test"),
            .ipAddress(address),
        ])
        for (name, matches) in [
            ("a.test", false), ("b.test", false), ("c.test", true), ("192.0.2.1", true), ("192.0.2.2", false),
            ("::ffff:192.0.2.1", false),
        ] {
            #expect(ServerIdentity.matches(names, name: try ServerName(name)) == matches, "\(name)")
        }
        #expect(try !ServerIdentity.matches(nil, name: ServerName("c.test")))
        #expect(try !ServerIdentity.matches(SubjectAlternativeNames([]), name: ServerName("c.test")))
    }

    // MARK: Common names

    private static let name = EditableDER(12, bytes: Array("good.test".utf8))

    private func leaf(
        _ attributes: [(String, EditableDER)] = [("2.5.4.3", name)], dnsNames: [String] = [],
        _ change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) throws -> ParsedCertificate {
        let sets = attributes.map { EditableDER(0x31, [.sequence(.oid($0.0), $0.1)]) }
        let recipe = LabCertificateRecipe.leaf("names", issuer: nil) {
            $0.encodedSubject = EditableDER(0x30, sets).encoded
            $0.dnsNames = dnsNames
            change(&$0)
        }
        return try ParsedCertificate.parse(TestChain.pki.issue(recipe)).get()
    }

    private func matches(_ leaf: ParsedCertificate, _ name: String = "good.test") throws -> Bool {
        ServerIdentity.matches(commonNameOf: leaf, name: try ServerName(name))
    }

    @Test func aCommonNameCountsWithoutAlternativeNames() throws {
        #expect(try matches(leaf()))
        #expect(try !matches(leaf(), "other.test"))
        #expect(try !matches(leaf(dnsNames: ["other.test"])), "a DNS name is there")
        #expect(
            try !matches(leaf { $0.addresses = [[192, 0, 2, 1]].compactMap(IPAddress.init(bytes:)) }),
            "curl and GnuTLS compare the address alone")
        let (own, other) = (("2.5.4.3", Self.name), ("2.5.4.3", EditableDER(12, bytes: Array("other.test".utf8))))
        #expect(try !matches(leaf([own, other])), "curl and Java take the last of them")
        #expect(try !matches(leaf([other, own])), "GnuTLS takes one that is alone")
        #expect(
            try !matches(leaf([("2.5.4.3", EditableDER(12, bytes: Array("192.0.2.1".utf8)))]), "192.0.2.1"),
            "an address is never a common name")
        let unreadable = LabExtension(oid: [2, 5, 29, 17], isCritical: false, value: [0x30, 1])
        #expect(try !matches(leaf { $0.extensions = [unreadable] }), "nobody knows whether a DNS name is there")
    }

    @Test func aCommonNameIsTextUnderItsOwnType() throws {
        #expect(try !matches(leaf([("2.5.4.10", Self.name)])), "an organization")
        #expect(try matches(leaf([("2.5.4.10", Self.name), ("2.5.4.3", Self.name)])), "one of several parts")
        #expect(try matches(leaf([("2.5.4.3", EditableDER(19, bytes: Self.name.bytes))])), "a PrintableString")
        #expect(try !matches(leaf([("2.5.4.3", EditableDER(4, bytes: Self.name.bytes))])), "an OCTET STRING")
        #expect(try !matches(leaf([])), "no subject")
    }

    // MARK: Messages

    @Test func fiveNamesAreShown() throws {
        func message(_ count: Int) throws -> String {
            ServerIdentity.mismatch(
                of: SubjectAlternativeNames((0..<count).map { .dnsName("\($0).test") }),
                name: try ServerName("good.test"))
        }
        let five = "the certificate is for '0.test', '1.test', '2.test', '3.test', '4.test'"
        #expect(try message(1) == "the certificate is for '0.test', not for good.test")
        #expect(try message(5) == five + ", not for good.test")
        #expect(try message(6) == five + ", …, not for good.test")
        for none in [nil, SubjectAlternativeNames()] {
            let name = try ServerName("good.test")
            #expect(ServerIdentity.mismatch(of: none, name: name).contains("names no server"))
            #expect(ServerIdentity.fix(of: none, name: name)?.contains("DNS:good.test") == true)
        }
    }

    @Test func addressesAreShownAsSuch() throws {
        func address(_ bytes: [UInt8]) -> GeneralName { .ipAddress(ASN1OctetString(contentBytes: bytes[...])) }
        let names = SubjectAlternativeNames([address([192, 0, 2, 1]), address([1, 2, 3])])
        let message = ServerIdentity.mismatch(of: names, name: try ServerName("good.test"))
        #expect(message == "the certificate is for 192.0.2.1, a malformed address, not for good.test")
    }
}
