import ProbeKit
import ProbePlatform

/// A file of lines that a command writes, and goes on with when it is run again. Only one command at a time can use it.
final class ContinuedFile: Sendable {
    let path: String
    /// Open for appending.
    let descriptor: CInt

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: the value of `--resume`.
    ///   - work: a noun for the work that the file continues.
    init(_ path: String, of work: String) throws(InputError) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw InputError(
                "--resume \(path) can't be opened: \(unsafe String(cString: strerror(errno)))",
                remedy: "name a file that you may read and write", source: .file)
        }
        guard FileStatus(descriptor: descriptor)?.isFile == true else {
            throw InputError(
                "--resume \(path) is not a file", remedy: "name the output of an earlier \(work)", source: .file)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw InputError(
                "--resume \(path) is written to by another \(work)", remedy: "wait for its end", source: .file)
        }
    }

    deinit { close(descriptor) }

    /// The number of its bytes.
    var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    /// Removes what comes after the whole lines that are to be kept.
    func cut(to whole: Int) throws(InputError) {
        guard whole < size, ftruncate(descriptor, off_t(whole)) != 0 else { return }
        throw InputError(
            "the cut-off line at the end of \(path) can't be taken out: \(unsafe String(cString: strerror(errno)))",
            remedy: "make the file writable, or resume from a copy")
    }
}
