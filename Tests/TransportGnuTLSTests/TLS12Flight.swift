/// The start of a TLS 1.2 handshake, all of it in the clear: a server hello that picks
/// TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, then a certificate message, and possible further ones.
enum TLS12Flight {
    /// Returns the records with this certificate list, and with the body of a ServerKeyExchange and a choice of the application
    /// protocol if there are any.
    static func records(entries: [UInt8], keyExchange: [UInt8]? = nil, alpn: String? = nil) -> [UInt8] {
        let extensions: [UInt8] = [0xff, 0x01, 0, 1, 0] + (alpn.map(choice) ?? [])
        let hello: [UInt8] =
            [0x03, 0x03] + [UInt8](repeating: 7, count: 32) + [0, 0xc0, 0x2f, 0, 0, UInt8(extensions.count)]
            + extensions
        var messages = message(2, hello) + message(11, entries.count.threeBytes + entries)
        if let keyExchange { messages += message(12, keyExchange) }
        return messages.chunks(of: 0x4000).flatMap {
            [0x16, 0x03, 0x03, UInt8($0.count >> 8), UInt8($0.count & 0xff)] + $0
        }
    }

    /// Returns the extension with one protocol (RFC 7301 section 3.1).
    private static func choice(_ name: String) -> [UInt8] {
        let count = UInt8(name.utf8.count)
        return [0, 16, 0, count + 3, 0, count + 1, count] + Array(name.utf8)
    }

    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + body.count.threeBytes + body }
}

extension Int {
    /// The number as TLS writes a length of 24 bits.
    var threeBytes: [UInt8] { [UInt8(self >> 16 & 0xff), UInt8(self >> 8 & 0xff), UInt8(self & 0xff)] }
}

extension [UInt8] {
    /// Returns the bytes in pieces of at most `size`.
    func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
