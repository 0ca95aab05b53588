/// Folders of what is not to be trusted beside those of anchors: p11-kit's, Apple's and Android's.
enum DistrustFolder {
    private static let names: Set<String> = [
        "blocklist", "blacklist", "blocked", "distrusted", "removed", "revoked", "cacerts-removed",
    ]

    /// Returns the folder in a file's path that makes it distrusted.
    static func above(_ file: String) -> String? {
        file.split(separator: "/").dropLast().map(String.init).first(where: isName)
    }

    /// Returns the last name of a folder's path, if it makes all of its files distrusted.
    static func last(of path: String) -> String? {
        guard let name = path.split(separator: "/").last(where: { $0 != "." }) else { return nil }
        return isName(String(name)) ? String(name) : nil
    }

    private static func isName(_ name: String) -> Bool { names.contains(name.lowercased()) }
}
