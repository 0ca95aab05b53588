/// A way in which bytes are packed.
package enum Packing: String, Sendable {
    /// A deflated stream with nothing around it, as in a ZIP archive (RFC 1951).
    case deflate
    /// Deflated members with a checksum each (RFC 1952).
    case gzip
    /// Frames of Zstandard (RFC 8878).
    case zstd

    /// The bytes that files begin with. A frame of Zstandard that is to be skipped may be the first, as `pzstd` writes it
    /// (RFC 8878, 3.1.2).
    private static let beginnings: [(packing: Packing, bytes: [UInt8])] =
        [(.gzip, [0x1f, 0x8b, 0x08]), (.zstd, [0x28, 0xb5, 0x2f, 0xfd])]
        + (0x50...0x5f).map { (.zstd, [$0, 0x2a, 0x4d, 0x18]) }

    /// Reads the first bytes of a file; nil if they are neither gzip's nor Zstandard's.
    package init?(of bytes: [UInt8]) {
        guard let beginning = Self.beginnings.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
        self = beginning.packing
    }

    /// Returns true if only further bytes tell.
    package static func isUndecided(_ bytes: [UInt8]) -> Bool {
        beginnings.contains { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }
    }
}
