/// Files of the system, which promise no encoding: administrators write comments in theirs, and the kernel shows names that
/// are bytes.
package enum SystemFile: Sendable {
    /// Returns a file's text; nil if it can't be read. Bytes that are not UTF-8 are replaced, so that they spoil nothing beside
    /// them: the C library reads such files by bytes too (glibc's resolv/res_init.c).
    package static func text(at path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
