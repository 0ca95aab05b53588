/// The encodings of TLS 1.2 (RFC 5246 sections 4, 6.2.1 and 7.4).
enum TLS12Format {
    /// Returns a number as so many bytes.
    static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Returns bytes behind their length, a number of so many bytes.
    static func vector(_ bytes: [UInt8], _ size: Int) -> [UInt8] { number(bytes.count, size) + bytes }

    /// Returns a handshake message.
    static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type] + vector(body, 3) }

    /// Returns a record.
    static func record(_ type: UInt8, _ body: [UInt8]) -> [UInt8] { [type, 3, 3] + vector(body, 2) }
}
