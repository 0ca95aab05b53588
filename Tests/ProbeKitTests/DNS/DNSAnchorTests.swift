import Foundation
import ProbeKit
import Testing

@Suite struct DNSAnchorTests {
    private static let hex = String(repeating: "0F", count: 32)

    @Test(arguments: [
        (". IN DS 20326 8 2 \(hex)", ". IN DS 20326 8 2 \(hex)"),
        ("example.com. DS 1 13 2 \(hex)", "example.com. IN DS 1 13 2 \(hex)"),
        (
            "example.com 3600 IN ds 1 13 2 0F0F \(hex.dropFirst(4))",
            "example.com. IN DS 1 13 2 0F0F \(hex.dropFirst(4))"
        ),
        ("example.com.\tIN\tDNSKEY\t257 3 13 AAAA", "example.com. IN DNSKEY 257 3 13 AAAA"),
    ])
    func recordsAreRead(_ text: String, _ expected: String) throws {
        #expect(try DNSAnchor(text).description == expected)
    }

    @Test(arguments: [
        "", "example.com", "example.com. IN TXT \"x\"", "example.com. DS 1 13 2", "example.com. DS 1 13 2 XYZ",
        "example.com. DS 99999 13 2 0F", "example.com. DS 1 13 2 0F0", "example..com. DS 1 13 2 0F",
        "example.com. DNSKEY 257 3 13 ???", "example.com. DS 1 13 2 0F", "example.com. DS 1 13 2 \(hex)0F",
        "example.com. DS 1 13 1 \(hex)", "example.com. DS 1 13 4 \(hex)",
    ])
    func anythingElseIsRefused(_ text: String) {
        #expect(throws: InputError.self) { try DNSAnchor(text) }
    }

    @Test func filesHoldOneRecordALine() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "anchors-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try "; root\n\n. IN DS 1 8 2 \(Self.hex) ; the key of 2017\n. IN DS 2 8 2 \(Self.hex)\n".write(
            to: file, atomically: true, encoding: .utf8)
        #expect(try DNSAnchor.file(file.path).count == 2)
        try "; nothing\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: InputError.self) { try DNSAnchor.file(file.path) }
        #expect(throws: InputError.self) { try DNSAnchor.file("/nonexistent") }
    }
}
