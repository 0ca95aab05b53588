/// Bytes as the key of a memory, hashed as one block: an array's own hash takes them one by one, which for a certificate
/// takes longer than to look it up.
package struct ByteKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates a key.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}
