import ProbeKit
import ProbePlatform

/// A file that a command writes whole.
///
/// A regular file is replaced atomically where its folder allows that, so that no reader sees half of it and a full disk
/// leaves the old one; links are followed, its permissions kept, and its owner and group as far as this user may set them.
/// Anything else, like a device or a pipe, is written to; `-` is standard output.
struct OutputFile {
    let path: String

    /// The kind of what the path leads to.
    private enum Kind { case absent, file, other }

    /// The reason why content was not written.
    private enum Failure: Error {
        /// The path can't be opened.
        case refused(InputError)
        /// The disk is full, or fails.
        case unwritten(String)
    }

    /// Checks that it can be written, as far as that can be known in advance.
    ///
    /// - Throws: ``InputError`` if it can't.
    func check() throws(InputError) {
        guard !isStandardOutput else { return }
        try refuseEmpty()
        // A file that may be written to is written in place if its folder has no room for another.
        guard try kind() == .absent else { return }
        guard unsafe access(Self.folder(of: place), W_OK | X_OK) == 0 else {
            throw unwritable(errno == ENOENT ? "its folder does not exist" : SystemError.words(errno))
        }
    }

    /// Writes the whole content. Without room for it the process ends, as with all output.
    ///
    /// - Throws: ``InputError`` if the path can't be opened.
    func write(_ bytes: [UInt8]) throws(InputError) {
        do throws(Failure) { try store(bytes) } catch { throw refusal(error) }
    }

    /// Writes what took long to find out. If that fails, standard output gets it before the process ends.
    ///
    /// - Throws: ``InputError`` if the path can't be opened.
    func write(report text: String) throws(InputError) {
        do throws(Failure) {
            try store(Array((text + "\n").utf8))
        } catch {
            Terminal.print(text)
            throw refusal(error)
        }
    }

    private func store(_ bytes: [UInt8]) throws(Failure) {
        guard !isStandardOutput else { return Terminal.print(bytes: bytes) }
        // A limit on file sizes is an error of the write, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        let kind: Kind
        do throws(InputError) {
            try refuseEmpty()
            kind = try self.kind()
        } catch {
            throw .refused(error)
        }
        guard kind != .other else { return try writeInPlace(bytes, truncating: false) }
        let place = self.place
        do throws(FileDraft.Failure) {
            try FileDraft(bytes, replacing: place, in: Self.folder(of: place)).move()
        } catch {
            if kind == .file, Self.folderRefusals.contains(error.code) {
                return try writeInPlace(bytes, truncating: true)
            }
            let reason = SystemError.words(error.code)
            if Self.writeFailures.contains(error.code) { throw .unwritten(reason) }
            throw .refused(unwritable(reason))
        }
    }

    /// Writes to a device, a pipe, or a file beside which no other can be put.
    private func writeInPlace(_ bytes: [UInt8], truncating: Bool) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | (truncating ? O_TRUNC : 0))
        guard descriptor >= 0 else { throw .refused(unwritable(SystemError.words(errno))) }
        defer { close(descriptor) }
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            throw .unwritten(error.reason)
        }
    }

    /// The errors of a write to a file that could be opened.
    private static let writeFailures: Set<CInt> = [ENOSPC, EDQUOT, EFBIG, EIO]
    /// The errors of replacing a file that may be written to: the folder's rights and sticky bit, its file system, and a
    /// file that is mounted.
    private static let folderRefusals: Set<CInt> = [EACCES, EPERM, EROFS, EBUSY]

    /// Returns the reason why the path is refused. Without room the process ends: the path is right, and an output that is
    /// not whole must not look like a verdict.
    private func refusal(_ failure: Failure) -> InputError {
        switch failure {
        case .refused(let error): return error
        case .unwritten(let reason):
            Terminal.printError("probe: \(PrintableText.escape(path)) can't be written: \(reason)")
            Departure.now(Outcome.internalError.exitCode)
        }
    }

    /// Rejects the name that a variable makes which is not set.
    private func refuseEmpty() throws(InputError) {
        guard path.isEmpty else { return }
        throw InputError("the name of an output is empty", remedy: "name a file, or say - for standard output")
    }

    /// Returns the kind of what the path leads to, and rejects what may not be written to. A link that the kernel does not
    /// follow when it is looked at is not followed here either (`protected_symlinks` of proc_sys_fs(5)).
    private func kind() throws(InputError) -> Kind {
        guard let status = FileStatus(at: path) else {
            guard errno == ENOENT else { throw unwritable(SystemError.words(errno)) }
            return .absent
        }
        guard !status.isFolder else { throw unwritable(SystemError.words(EISDIR)) }
        guard unsafe access(path, W_OK) == 0 else { throw unwritable(SystemError.words(errno)) }
        return status.isFile ? .file : .other
    }

    private var isStandardOutput: Bool { path == "-" }

    /// The file that the path leads to; of a link to a file that does not exist yet, that file, as a shell makes it.
    private var place: String {
        var place = path
        // The kernel follows as many (path_resolution(7)).
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { break }
            place = target.hasPrefix("/") ? target : "\(Self.folder(of: place))/\(target)"
        }
        return place
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func unwritable(_ reason: String) -> InputError {
        InputError(
            "\(path) can't be written: \(reason)", remedy: "name a file that you may write", source: .file)
    }
}
