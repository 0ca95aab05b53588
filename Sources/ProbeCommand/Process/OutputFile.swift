import Foundation
import ProbeKit
import ProbePlatform

/// A file that a command writes whole.
///
/// A regular file is replaced atomically, so that no reader sees half of it and a full disk leaves the old one; links
/// are followed and its permissions kept. Anything else, like a device or a pipe, is written to; `-` is standard output.
struct OutputFile {
    let path: String

    /// Checks that it can be written, as far as that can be known in advance.
    ///
    /// - Throws: ``InputError`` if it can't.
    func check() throws(InputError) {
        guard !isStandardOutput else { return }
        try refuseEmpty()
        let files = FileManager.default
        let needed = files.fileExists(atPath: place.path) ? place.path : folder
        guard files.isWritableFile(atPath: needed) else {
            throw unwritable(files.fileExists(atPath: needed) ? "Permission denied" : "its folder does not exist")
        }
    }

    /// Writes the whole content. Without room for it the process ends, as with all output.
    ///
    /// - Throws: ``InputError`` if the path can't be opened.
    func write(_ bytes: [UInt8]) throws(InputError) {
        guard !isStandardOutput else { return Terminal.print(bytes: bytes) }
        try refuseEmpty()
        // A limit on file sizes is an error of the write, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        let known = try? FileManager.default.attributesOfItem(atPath: place.path)
        let isReplaced = known.map { $0[.type] as? FileAttributeType == .typeRegular } ?? true
        guard isReplaced else { return try append(bytes) }
        do {
            try Data(bytes).write(to: place, options: .atomic)
            if let rights = known?[.posixPermissions] {
                try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: place.path)
            }
        } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            let reason = code.map { Self.words($0) } ?? error.localizedDescription
            if let code, Self.writeFailures.contains(code) { end(reason) }
            throw unwritable(reason)
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
            end(error.reason)
        }
    }

    /// The errors of a write to a file that could be opened.
    private static let writeFailures: Set<CInt> = [ENOSPC, EDQUOT, EFBIG, EIO]

    /// Ends the process: the path is right, and an output that is not whole must not look like a verdict.
    private func end(_ reason: String) -> Never {
        Terminal.printError("probe: \(PrintableText.escape(path)) can't be written: \(reason)")
        Departure.now(Outcome.internalError.exitCode)
    }

    /// Rejects the name that a variable makes which is not set.
    private func refuseEmpty() throws(InputError) {
        guard path.isEmpty else { return }
        throw InputError("the name of an output is empty", remedy: "name a file, or say - for standard output")
    }

    private var isStandardOutput: Bool { path == "-" }
    private var place: URL { URL(filePath: path).resolvingSymlinksInPath() }
    private var folder: String { place.deletingLastPathComponent().path }

    /// Returns the system's words for an error number.
    private static func words(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }

    private func unwritable(_ reason: String) -> InputError {
        InputError(
            "\(path) can't be written: \(reason)", remedy: "name a file that you may write", source: .file)
    }
}
