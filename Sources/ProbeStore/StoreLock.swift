import ProbePlatform

/// The lock of a store (flock(2)), by which the processes that use its file agree who replaces it: those that open it share the
/// lock, and one that makes, moves or removes it has the lock alone.
///
/// It is on a file of its own, which stays: the store's is replaced by another while processes wait, and others lock folders for
/// purposes of theirs. A process that is killed gives it back.
struct StoreLock {
    /// The ways to have it.
    enum Use {
        case shared, alone
    }

    /// The ending of the file's name.
    static let suffix = "-lock"

    /// The open file; negative if there is none.
    private let descriptor: CInt
    /// The error that keeps it from being opened; nil where it is open, and where no file can be made: nobody replaces a store there.
    let fault: CInt?

    /// The longest time that it is waited for: others have it for as long as they open a file, which waits for SQLite's locks.
    private static let patience: Duration = .seconds(5)
    /// The time between two attempts, in microseconds.
    private static let pause: UInt32 = 2000

    init(_ path: StorePath) {
        descriptor = unsafe open(
            path.description + Self.suffix, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let number = errno
        fault = descriptor >= 0 || Self.makesNoFile(number, in: path.folder) ? nil : number
    }

    /// True where an error is about the place, and not about the file of the lock itself.
    private static func makesNoFile(_ number: CInt, in folder: String) -> Bool {
        unsafe access(folder, W_OK) != 0 || number == EROFS
    }

    /// Waits for the lock. Another use than before is a new lock: what was seen under the old one may have changed.
    ///
    /// - Returns: false if others keep it. A file system without such locks has it at once.
    func take(_ use: Use) -> Bool {
        guard descriptor >= 0 else { return true }
        let end = ContinuousClock.now + Self.patience
        while flock(descriptor, (use == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            guard [EWOULDBLOCK, EINTR].contains(errno) else { return true }
            guard ContinuousClock.now < end else { return false }
            usleep(Self.pause)
        }
        return true
    }

    func end() { if descriptor >= 0 { close(descriptor) } }
}
