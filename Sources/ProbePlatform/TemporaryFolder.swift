/// The folder for files that go when the process does.
package enum TemporaryFolder: Sendable {
    /// `$TMPDIR`, or `/tmp` if that variable is not an absolute path: Foundation takes an empty one for the root.
    package static var path: String {
        guard let folder = ProcessInfo.processInfo.environment["TMPDIR"], folder.hasPrefix("/") else { return "/tmp" }
        return folder
    }

    /// Returns the path of a file in it.
    package static func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}
