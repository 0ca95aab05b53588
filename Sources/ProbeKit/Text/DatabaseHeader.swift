import ProbePlatform

/// The first bytes of a file of SQLite, as far as they identify it (sqlite.org/fileformat2.html, 1.3).
package struct DatabaseHeader: Sendable {
    /// The number of the application that wrote it; 0 if it has none.
    package let application: Int32

    /// The number of the application of a scan's results: "prsc".
    package static let scan: Int32 = 0x7072_7363
    /// The number of bytes that it takes.
    package static let size = 72
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Reads the beginning of a file; nil if it is not one of SQLite's.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        application = Int32(truncatingIfNeeded: bytes.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Reads the beginning of the file at a path; nil if it is not one of SQLite's.
    package init?(of path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.size)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        self.init(bytes.prefix(max(count, 0)))
    }
}
