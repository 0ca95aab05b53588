import Foundation
import ProbeKit

/// A file that a command writes whole.
///
/// A regular file is replaced atomically, so that no reader sees half of it and a full disk leaves the old one; links
/// are followed and its permissions kept. Anything else, like a device or a pipe, is written to.
struct OutputFile {
    let path: String

    /// Checks that it can be written, as far as that can be known in advance.
    ///
    /// - Throws: ``InputError`` if it can't.
    func check() throws(InputError) {
        let files = FileManager.default
        guard files.isWritableFile(atPath: files.fileExists(atPath: place.path) ? place.path : folder) else {
            throw unwritable
        }
    }

    /// Writes the whole content.
    ///
    /// - Throws: ``InputError`` if it can't.
    func write(_ bytes: [UInt8]) throws(InputError) {
        do {
            let known = try? FileManager.default.attributesOfItem(atPath: place.path)
            let isReplaced = known.map { $0[.type] as? FileAttributeType == .typeRegular } ?? true
            guard isReplaced else {
                let file = try FileHandle(forWritingTo: place)
                try file.write(contentsOf: Data(bytes))
                return try file.close()
            }
            try Data(bytes).write(to: place, options: .atomic)
            if let rights = known?[.posixPermissions] {
                try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: place.path)
            }
        } catch {
            throw unwritable
        }
    }

    private var place: URL { URL(filePath: path).resolvingSymlinksInPath() }
    private var folder: String { place.deletingLastPathComponent().path }
    private var unwritable: InputError {
        InputError("\(path) can't be written", remedy: "check the folder, its disk and your rights")
    }
}
