import SwiftASN1
import Testing
import X509

@testable import ProbeTrust

/// The reading of single names and subtrees, at the edges of every form.
@Suite struct ConstrainedNameTests {
    private func isRead(_ name: GeneralName, asSubtree: Bool = false) -> Bool {
        if case .other = asSubtree ? ConstrainedName(subtree: name) : ConstrainedName(name) { false } else { true }
    }

    private func uri(_ text: String) -> String? {
        if case .uri(let host) = ConstrainedName(.uniformResourceIdentifier(text)) { host } else { nil }
    }

    private func address(_ mask: [UInt8]) -> GeneralName {
        .ipAddress(ASN1OctetString(contentBytes: ([0, 0, 0, 0] + mask)[...]))
    }

    /// RFC 5280 section 4.2.1.6.
    @Test func typesHaveTheirTags() throws {
        let any = try ASN1Any(erasing: ASN1OctetString(contentBytes: [1]))
        let other = GeneralName.OtherName(typeID: [1, 2, 3], value: any)
        let names: [(GeneralName, Int)] = [
            (.otherName(other), 0), (.rfc822Name("a@b.test"), 1), (.rfc822Name("@"), 1), (.dnsName("a.test"), 2),
            (.dnsName(".."), 2), (.x400Address(any), 3), (.directoryName(try DistinguishedName { CommonName("a") }), 4),
            (.ediPartyName(any), 5), (.uniformResourceIdentifier("http://a.test"), 6),
            (.uniformResourceIdentifier("a"), 6),
            (.ipAddress(ASN1OctetString(contentBytes: [1, 2, 3, 4])), 7),
            (.ipAddress(ASN1OctetString(contentBytes: [1])), 7), (.registeredID([1, 2, 3]), 8),
        ]
        for (name, tag) in names { #expect(ConstrainedName(name).tag == tag, "\(name)") }
    }

    @Test func aNameCostsItsBytes() {
        #expect(ConstrainedName(.dnsName("a.test")).size == 7)
        #expect(ConstrainedName(.rfc822Name("me@a.test")).size == 8)
        #expect(ConstrainedName(subtree: .rfc822Name("a.test")).size == 6)
        #expect(ConstrainedName(.uniformResourceIdentifier("http://a.test/b")).size == 6)
        #expect(ConstrainedName(.ipAddress(ASN1OctetString(contentBytes: [1, 2, 3, 4]))).size == 4)
        #expect(ConstrainedName(.registeredID([1, 2, 3])).size == 0)
    }

    /// A host of so many bytes, of labels that are not too long.
    private func host(_ count: Int) -> String {
        String((0..<count).map { $0 % 60 == 59 && $0 < count - 1 ? "." : "a" as Character })
    }

    @Test func hostsHaveAtMost255Bytes() {
        for (count, isRead) in [(255, true), (256, false)] {
            #expect(self.isRead(.dnsName(host(count))) == isRead)
            #expect(self.isRead(.dnsName(host(count)), asSubtree: true) == isRead)
            #expect(self.isRead(.rfc822Name(host(count)), asSubtree: true) == isRead)
            #expect(self.isRead(.uniformResourceIdentifier(host(count)), asSubtree: true) == isRead)
            #expect((uri("http://\(host(count))") != nil) == isRead)
        }
    }

    @Test func mailboxesHaveAtMost320Bytes() {
        for (count, isRead) in [(64, true), (65, false)] {
            #expect(self.isRead(.rfc822Name("\(String(repeating: "m", count: count))@\(host(255))")) == isRead)
        }
    }

    @Test func aMaskIsOnesAndThenZeros() {
        for first in UInt8.min...UInt8.max {
            let isPrefix = [0, 0x80, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe, 0xff].contains(first)
            #expect(isRead(address([first, 0, 0, 0]), asSubtree: true) == isPrefix, "\(first)")
            #expect(isRead(address([0xff, 0xff, 0xff, first]), asSubtree: true) == isPrefix, "\(first)")
        }
        #expect(!isRead(address([0xff, 0xf0, 1, 0]), asSubtree: true))
    }

    @Test func aWildcardIsTheFirstOfSeveralLabels() {
        #expect(isRead(.dnsName("*.a.test")))
        #expect(!isRead(.dnsName("*")))
        #expect(!isRead(.dnsName("a.*.test")))
        #expect(!isRead(.rfc822Name("me@*.a.test")))
        #expect(isRead(.dnsName("a-b.test")))
        #expect(!isRead(.dnsName("a!b.test")))
    }

    @Test func aLocalPartIsADotString() {
        for character in "!#$%&'*+-/=?^_`{|}~a1" { #expect(isRead(.rfc822Name("\(character)@a.test")), "\(character)") }
        for text in [" @a.test", "(@a.test", "\"a\"@a.test", ".a@a.test", "a..b@a.test", "@a.test", "a@b@ a.test"] {
            #expect(!isRead(.rfc822Name(text)), "\(text)")
        }
    }

    @Test func aURIsHostIsThatOfItsAuthority() {
        #expect(uri("https://me:secret@A.test:8443/b?c#d") == "a.test")
        #expect(uri("https://a.test?b") == "a.test")
        for text in ["https:a.test", "a.test", "https://", "https:///b", "https://[::1]/", "https://127.0.0.1/"] {
            #expect(uri(text) == nil, "\(text)")
        }
        // The authority has to end within 2048 bytes.
        for (count, isRead) in [(2047, true), (2048, false)] {
            let start = "https://"
            let user = String(repeating: "u", count: count - start.utf8.count - "@a.test".utf8.count)
            #expect((uri("\(start)\(user)@a.test") == "a.test") == isRead)
            #expect((uri("\(start)\(user)@a.test/b") == "a.test") == isRead)
        }
    }

    @Test func aSubtreeIsMoreThanAPeriod() {
        #expect(!isRead(.rfc822Name("."), asSubtree: true))
        #expect(!isRead(.uniformResourceIdentifier("."), asSubtree: true))
        #expect(isRead(.uniformResourceIdentifier(".a.test"), asSubtree: true))
    }

    /// A malformed host would be outside of all excluded subtrees.
    @Test func aHostIsWrittenAsOne() {
        for text in ["a.test.", "a..test", "*.a.test", "..a.test", "https://a.test", "a b.test"] {
            #expect(!isRead(.uniformResourceIdentifier(text), asSubtree: true), "\(text)")
            #expect(!isRead(.rfc822Name(text), asSubtree: true), "\(text)")
        }
        for text in ["https://a.test./", "https://%61.test/", "https://*.a.test/", "https://a..test/"] {
            #expect(uri(text) == nil, "\(text)")
        }
        for base in ["", "a.test", ".a.test", "A_b.test"] {
            #expect(isRead(.uniformResourceIdentifier(base), asSubtree: true), "\(base)")
            #expect(isRead(.rfc822Name(base), asSubtree: true), "\(base)")
        }
    }
}
