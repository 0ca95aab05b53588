/// A way in which bytes are packed.
package enum Packing: String, Sendable {
    /// A deflated stream with nothing around it, as in a ZIP archive (RFC 1951).
    case deflate
    /// Deflated members with a checksum each (RFC 1952).
    case gzip
    /// Frames of Zstandard (RFC 8878).
    case zstd

    /// Reads the first bytes of a file; nil if they are neither gzip's nor Zstandard's.
    package init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0x1f, 0x8b, 0x08]) {
            self = .gzip
        } else if bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
            self = .zstd
        } else {
            return nil
        }
    }
}
