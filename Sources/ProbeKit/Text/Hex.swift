import ProbePlatform

/// Hexadecimal text.
public enum Hex: Sendable {
    /// Returns lowercase digits without separators.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the bytes of an even number of digits in either case; nil for anything else.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map(value(of:))
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Standard base64 with padding (RFC 4648 section 4).
public enum Base64: Sendable {
    /// Returns the bytes as base64.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
    }

    /// Returns the bytes of canonical base64: padded, with no other characters and no stray bits; nil for anything
    /// else.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard let data = Data(base64Encoded: String(text)), encode(data) == text else { return nil }
        return Array(data)
    }
}
