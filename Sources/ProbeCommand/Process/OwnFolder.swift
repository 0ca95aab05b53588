import ProbeKit
import ProbePlatform
import Synchronization

/// A folder for a file that the user did not ask for, in the temporary folder. It has a name that nobody can foresee and is
/// this user's alone, so that nobody leads what is written there to a file of their choice. It goes when the command does.
struct OwnFolder {
    let path: String
    private static let all = Mutex<Set<String>>([])

    /// Makes the folder.
    ///
    /// - Throws: ``InputError`` if the temporary folder has no place for it.
    init() throws(InputError) {
        var name = TemporaryFolder.file("probe-XXXXXX").utf8.map { CChar(bitPattern: $0) } + [0]
        guard unsafe mkdtemp(&name) != nil else {
            throw InputError(
                "a folder in \(TemporaryFolder.path) can't be made: \(SystemError.words(errno))",
                remedy: "set TMPDIR to one that you may write to", source: .file)
        }
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Self.all.withLock { [path] in _ = $0.insert(path) }
    }

    /// Removes it with what is in it.
    func remove() {
        Self.all.withLock { [path] in _ = $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes those of this process.
    static func removeAll() {
        for path in all.withLock(\.self) { try? FileManager.default.removeItem(atPath: path) }
    }
}
