public import ProbeKit
public import ProbePlatform

/// The path of the store's file, which no other user can write to.
public struct StorePath: Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public let description: String
    /// The word that messages have for it.
    package private(set) var noun = "cache"

    /// The name of the file in a folder.
    private static let name = "probe.sqlite"

    /// Creates the path of a file, or of the store's file in an existing folder.
    public init(_ path: String) {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        description = exists && isFolder ? (path.hasSuffix("/") ? path : path + "/") + Self.name : path
    }

    /// Returns the same path under another word in messages.
    package func called(_ noun: String) -> StorePath {
        var path = self
        path.noun = noun
        return path
    }

    /// Returns the user's own path: `$XDG_CACHE_HOME/probe/probe.sqlite`, or `~/.cache/probe/probe.sqlite` if that
    /// variable is not an absolute path.
    ///
    /// - Throws: ``InputError`` if the environment names neither.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(InputError) -> StorePath {
        for (variable, rest) in [("XDG_CACHE_HOME", ""), ("HOME", "/.cache")] {
            if let folder = environment[variable], folder.hasPrefix("/") {
                return StorePath("\(folder)\(rest)/probe/\(name)")
            }
        }
        throw InputError(
            "there is no default folder: neither XDG_CACHE_HOME nor HOME is an absolute path",
            remedy: "\(Fix.Step.keepInFile)")
    }

    /// True if the file exists.
    public var exists: Bool { FileManager.default.fileExists(atPath: description) }

    /// True if the file exists and is empty.
    var isEmpty: Bool { FileStatus(of: description)?.size == 0 }

    /// The folder of the file.
    var folder: String {
        guard let slash = description.lastIndex(of: "/") else { return "." }
        return slash == description.startIndex ? "/" : String(description[..<slash])
    }

    /// Rejects a file that another user could have written, and so whose content could be forged.
    ///
    /// SQLite reads a journal beside the file, so the folder counts as much.
    ///
    /// - Throws: ``InputError`` naming the file or the folder.
    func check() throws(InputError) {
        if let file = FileStatus(of: description) {
            guard file.isFile else {
                throw InputError("the \(noun) '\(description)' is not a file", remedy: "name a file", source: .file)
            }
            guard file.isOurs else {
                throw InputError(
                    "others can write to the \(noun) '\(description)'",
                    remedy: "remove it, for nothing in it can be relied on, or name another file", source: .file)
            }
        }
        // The path to the folder may be a link; only the folder itself counts.
        if let folder = FileStatus(of: folder + "/."), !folder.isOurs {
            throw InputError(
                "others can write to the folder of the \(noun) '\(description)'",
                remedy: "name a file in a folder of your own, with mode 0700", source: .file)
        }
    }
}
