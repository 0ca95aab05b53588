import FoundationEssentials

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
