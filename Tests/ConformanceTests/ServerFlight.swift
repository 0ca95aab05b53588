/// The start of a TLS 1.2 server's answer, all of it in the clear: a ServerHello, and a Certificate message. So a server can
/// present what no library serves.
enum ServerFlight {
    /// Returns the record of both messages.
    ///
    /// - Parameters:
    ///   - renegotiatesSecurely: true to answer the client's renegotiation_info (RFC 5746 section 3.6).
    ///   - suite: the suite that it chooses, by default TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256.
    ///   - keyExchange: the body of a ServerKeyExchange; nil sends none.
    static func record(
        _ chain: [[UInt8]], renegotiatesSecurely: Bool = true, suite: [UInt8] = [0xc0, 0x2f],
        keyExchange: [UInt8]? = nil
    ) -> [UInt8] {
        var hello: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32)
        hello += [0] + suite + [0]
        if renegotiatesSecurely { hello += [0, 5, 0xff, 0x01, 0, 1, 0] }
        var messages = message(2, hello) + message(11, vector(chain.flatMap(vector)))
        if let keyExchange { messages += message(12, keyExchange) }
        return [22, 3, 3, UInt8(messages.count >> 8), UInt8(messages.count & 0xff)] + messages
    }

    private static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + vector(body) }

    /// Returns bytes behind their length of 24 bits.
    private static func vector(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xff), UInt8(bytes.count & 0xff)] + bytes
    }
}
