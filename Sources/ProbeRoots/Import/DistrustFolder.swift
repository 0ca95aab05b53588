import ProbePlatform

/// Folders of what is not to be trusted beside those of anchors: p11-kit's, Apple's, Android's and FreeBSD's.
enum DistrustFolder {
    private static let names: Set<String> = [
        "blocklist", "blacklist", "blocklisted", "blacklisted", "blocked", "distrusted", "untrusted", "removed",
        "revoked",
        "cacerts-removed",
    ]

    /// Returns the folder in a file's path that makes it distrusted.
    static func above(_ file: String) -> String? {
        file.split(separator: "/").dropLast().map(String.init).first(where: isName)
    }

    /// Returns the name of a folder, if it makes all of its files distrusted: as it was given, or as links lead to it.
    static func name(of path: String) -> String? {
        let folder = URL(filePath: path).standardizedFileURL
        return [folder, folder.resolvingSymlinksInPath()].map(\.lastPathComponent).first(where: isName)
    }

    /// Returns the name of the folder that a file is in, if that makes it distrusted.
    static func around(_ file: String) -> String? {
        name(of: URL(filePath: file).standardizedFileURL.deletingLastPathComponent().path)
    }

    private static func isName(_ name: String) -> Bool { names.contains(name.lowercased()) }
}
