import Foundation
import ProbeKit
import ProbePlatform

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
        let needed = files.fileExists(atPath: place.path) ? place.path : folder
        guard files.isWritableFile(atPath: needed) else {
            throw unwritable(files.fileExists(atPath: needed) ? "Permission denied" : "its folder does not exist")
        }
    }

    /// Writes the whole content.
    ///
    /// - Throws: ``InputError`` if it can't.
    func write(_ bytes: [UInt8]) throws(InputError) {
        let known = try? FileManager.default.attributesOfItem(atPath: place.path)
        let isReplaced = known.map { $0[.type] as? FileAttributeType == .typeRegular } ?? true
        guard isReplaced else { return try append(bytes) }
        do {
            try Data(bytes).write(to: place, options: .atomic)
            if let rights = known?[.posixPermissions] {
                try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: place.path)
            }
        } catch {
            let cause = (error as? CocoaError)?.underlying as? POSIXError
            throw unwritable(cause.map { Self.words($0.code.rawValue) } ?? error.localizedDescription)
        }
    }

    /// Writes to a device or a pipe.
    private func append(_ bytes: [UInt8]) throws(InputError) {
        let descriptor = unsafe open(place.path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unwritable(Self.words(errno)) }
        defer { close(descriptor) }
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            throw unwritable(error.reason)
        }
    }

    private var place: URL { URL(filePath: path).resolvingSymlinksInPath() }
    private var folder: String { place.deletingLastPathComponent().path }

    /// Returns the system's words for an error number.
    private static func words(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }

    private func unwritable(_ reason: String) -> InputError {
        InputError(
            "\(path) can't be written: \(reason)", remedy: "name a file that you may write, on a disk with space")
    }
}
