import ProbeKit
import ProbePlatform

/// The folder into which the simplest example of each kind is written.
struct ExampleFolder {
    private let folder: URL

    /// Makes the folder if it does not exist.
    ///
    /// - Throws: ``InputError`` for one that can't be written to, before the search rather than after.
    init(_ path: String) throws(InputError) {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw InputError(
                "\(path) can't be made a folder: \(SystemError.words(of: error))",
                remedy: "name one that you may write to", source: .file)
        }
        guard unsafe access(path, W_OK | X_OK) == 0 else {
            throw InputError(
                "\(path) can't be written to: \(SystemError.words(errno))",
                remedy: "name a folder that you may write to", source: .file)
        }
    }

    /// Returns the files of a kind with their paths.
    func named(_ files: [(name: String, bytes: [UInt8])], kind: Int) -> [(path: String, bytes: [UInt8])] {
        files.map { (folder.appending(path: "kind-\(kind)-\($0.name)").relativePath, $0.bytes) }
    }
}
