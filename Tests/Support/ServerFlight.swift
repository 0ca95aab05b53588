/// The start of a TLS 1.2 server's answer, all of it in the clear: a ServerHello, a Certificate message, and possibly a
/// ServerKeyExchange. So a server can present what no library serves.
package enum ServerFlight {
    /// The largest content of a record (RFC 5246 section 6.2.1).
    private static let recordSize = 0x4000

    /// Returns the records of the messages.
    ///
    /// - Parameters:
    ///   - chain: the certificates, byte for byte.
    ///   - rest: bytes behind them in the list, which belong to no certificate.
    ///   - renegotiatesSecurely: true to answer the client's renegotiation_info (RFC 5746 section 3.6).
    ///   - suite: the suite that it chooses, by default TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256.
    ///   - alpn: the application protocol that it chooses; nil chooses none.
    ///   - keyExchange: the body of a ServerKeyExchange; nil sends none.
    package static func records(
        _ chain: [[UInt8]], rest: [UInt8] = [], renegotiatesSecurely: Bool = true, suite: [UInt8] = [0xc0, 0x2f],
        alpn: String? = nil, keyExchange: [UInt8]? = nil
    ) -> [UInt8] {
        var extensions: [UInt8] = renegotiatesSecurely ? [0xff, 0x01, 0, 1, 0] : []
        if let alpn { extensions += choice(alpn) }
        var hello: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32)
        hello += [0] + suite + [0]
        if !extensions.isEmpty { hello += [UInt8(extensions.count >> 8), UInt8(extensions.count & 0xff)] + extensions }
        var messages = message(2, hello) + certificateMessage(chain, rest: rest)
        if let keyExchange { messages += message(12, keyExchange) }
        return stride(from: 0, to: messages.count, by: recordSize).flatMap { start in
            record(22, Array(messages[start..<min(start + recordSize, messages.count)]))
        }
    }

    /// Returns the Certificate message (RFC 5246 section 7.4.2), without a record around it.
    package static func certificateMessage(_ chain: [[UInt8]], rest: [UInt8] = []) -> [UInt8] {
        message(11, vector(chain.flatMap(vector) + rest))
    }

    /// Returns a record with at most 65,535 bytes of content, more than any may have.
    package static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type, 3, 3, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }

    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + vector(body) }

    /// Returns the extension with one protocol (RFC 7301 section 3.1).
    private static func choice(_ name: String) -> [UInt8] {
        let count = UInt8(name.utf8.count)
        return [0, 16, 0, count + 3, 0, count + 1, count] + Array(name.utf8)
    }

    /// Returns bytes behind their length of 24 bits.
    private static func vector(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xff), UInt8(bytes.count & 0xff)] + bytes
    }
}
