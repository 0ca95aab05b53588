import ProbeKit
import Testing

@Suite struct DNSNameTests {
    private static func name(_ labels: [UInt8]...) throws -> DNSName { try #require(DNSName(labels: labels)) }

    @Test func wireForm() throws {
        let name = try DNSName("Api.example.com.")
        #expect(name.wireBytes == Array("\u{3}api\u{7}example\u{3}com\0".utf8))
        #expect(name.labels == ["api", "example", "com"].map { Array($0.utf8) })
        #expect(DNSName(wireBytes: name.wireBytes) == name)
        #expect(DNSName(labels: [])?.wireBytes == [0])
        #expect(DNSName(labels: [])?.description == "." && DNSName(labels: [])?.labels == [])
    }

    @Test(
        "a label has at most 63 bytes, a name 255 with lengths and root",
        arguments: [
            ([[UInt8](repeating: 0x61, count: 63)], true), ([[UInt8](repeating: 0x61, count: 64)], false),
            ([[]], false),
            ([63, 63, 63, 61].map { [UInt8](repeating: 0x61, count: $0) }, true),
            ([63, 63, 63, 62].map { [UInt8](repeating: 0x61, count: $0) }, false),
        ] as [([[UInt8]], Bool)])
    func limits(labels: [[UInt8]], isName: Bool) {
        #expect((DNSName(labels: labels) != nil) == isName)
    }

    @Test(
        "bytes that are not a name in wire form",
        arguments: [[], [3, 0x63, 0x6f], [3, 0x63, 0x6f, 0x6d], [0, 0], [1, 0x61, 0, 0], [0xc0, 0x0c], [64, 0]]
            as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(DNSName(wireBytes: bytes) == nil)
    }

    @Test("case does not matter, where a label ends does") func equality() throws {
        let lower = try Self.name(Array("a".utf8), Array("b".utf8))
        let upper = try Self.name(Array("A".utf8), Array("B".utf8))
        #expect(lower == upper && lower.hashValue == upper.hashValue)
        let joined = try Self.name(Array("a.b".utf8))
        #expect(joined != lower)
        // Bytes outside ASCII have no case, though they differ in one bit too.
        #expect(try Self.name([0xc4]) != Self.name([0xe4]))
        #expect(try Self.name([0x40]) != Self.name([0x60]))
    }

    @Test func withinAZone() throws {
        let zone = try DNSName("example.com")
        for name in ["example.com", "a.example.com", "a.b.EXAMPLE.com"] { #expect(try DNSName(name).isWithin(zone)) }
        for name in ["badexample.com", "com", "example.org", "example.com.org"] {
            #expect(try !DNSName(name).isWithin(zone), "\(name)")
        }
        #expect(try zone.isWithin(Self.name()))
        #expect(try !Self.name().isWithin(zone))
        // A label that ends with the zone's wire form is a label of another name.
        let lookalike = try Self.name(Array(zone.wireBytes.dropLast()))
        #expect(!lookalike.isWithin(zone))
    }

    @Test func text() throws {
        #expect(
            try Self.name(Array("a.b".utf8), Array("c\\d".utf8), [0x00, 0x20, 0xff]).description
                == "a\\.b.c\\\\d.\\000 \\255")
    }
}
