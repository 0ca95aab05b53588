import GRDB
import ProbeKit
import ProbePlatform

/// The kind of obstacle that keeps a file from being used: each has a remedy of its own.
package enum StoreObstacle: Sendable {
    /// The content is damaged, or of something else.
    case content
    /// The disk is full, or the file as large as this process may make one.
    case room
    /// The folder, its file system or its locks.
    case place
    /// Another program has the file, or changed it just now.
    case use

    /// The obstacle that an error of the system is.
    init(errno number: CInt) { self = [ENOSPC, EDQUOT, EFBIG].contains(number) ? .room : .place }
}

extension DatabaseError {
    /// True if the file's content is at fault.
    var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }

    /// The kind of obstacle (sqlite.org/rescode.html).
    var obstacle: StoreObstacle {
        switch resultCode {
        // An error without a kind is one of the statement: the tables are not those that it was written for.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR: return .content
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .use
        case .SQLITE_FULL: return .room
        default: break
        }
        // The file of shared memory is made when a file is opened, and on a full disk can't have its size.
        let isOfRoom = [ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE].contains(extendedResultCode)
        return isOfRoom ? .room : .place
    }

    /// The reason in words. SQLite keeps that of the system to itself, but for a full disk.
    ///
    /// - Parameter path: the file.
    func words(of path: String) -> String {
        if extendedResultCode == .SQLITE_IOERR_WRITE, Self.isAtLimit(path) {
            return SystemError.words(EFBIG)
        }
        if extendedResultCode == .SQLITE_IOERR_SHMSIZE {
            return "\(path)-shm can't be made as large as it has to be"
        }
        if [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(resultCode), let reason = Self.refusal(of: path) {
            return reason
        }
        return message ?? "\(resultCode)"
    }

    /// True if the database, or the journal that it writes first, has all bytes that a file of this process may have.
    private static func isAtLimit(_ path: String) -> Bool {
        var limit = rlimit()
        guard unsafe getrlimit(Platform.fileSize, &limit) == 0 else { return false }
        return ["", "-wal"].contains { suffix in
            (FileStatus(at: path + suffix)?.size ?? 0) >= Int(clamping: limit.rlim_cur)
        }
    }

    /// Returns the system's reason why a file or its folder can't be written to; nil if both can.
    private static func refusal(of path: String) -> String? {
        if unsafe access(path, W_OK) == 0 || errno == ENOENT {
            guard unsafe access(StorePath(path).folder, W_OK | X_OK) != 0 else { return nil }
        }
        return SystemError.words(errno)
    }
}

extension DatabaseQueue {
    /// Opens a file of the file system, whatever its name begins with: `:memory:` and `file:` mean something else to SQLite
    /// (sqlite.org/c3ref/open.html).
    convenience init(file path: String, configuration: Configuration) throws {
        try self.init(path: path.hasPrefix("/") ? path : "./" + path, configuration: configuration)
    }
}
