import GRDB
import ProbePlatform

/// The replacement of a file, by whoever has the store's lock alone.
extension StoreFile {
    /// Writes the complete file beside its place, and then moves it there: no process ever sees half of it, and of two
    /// that do this at once, where the file system has no locks, one wins.
    static func create(_ path: StorePath) throws {
        let draft = "\(path).new-\(UUID())"
        defer { for suffix in [""] + journals { unsafe unlink(draft + suffix) } }
        // SQLite gives its journals the mode of the file.
        let descriptor = unsafe ProbePlatform.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw refusal("the \(path.noun) '\(path)' can't be made", errno) }
        close(descriptor)
        var configuration = StoreSchema.configuration()
        configuration.journalMode = .default
        let queue = try DatabaseQueue(file: draft, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
        }
        try StoreSchema.migrator.migrate(queue)
        // SQLite changes the mode without waiting for anybody: of processes that did so when they open a new file, all but one
        // would find it locked.
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        // Those of a file that was removed would be read as the new one's own.
        if !path.exists { for suffix in journals { unsafe unlink(path.description + suffix) } }
        guard unsafe link(draft, path.description) == 0 || errno == EEXIST else {
            throw refusal("the \(path.noun) '\(path)' can't be made", errno)
        }
    }

    /// Removes an empty file, or moves a damaged one aside.
    ///
    /// - Returns: the message about a damaged one.
    static func putAway(_ path: StorePath) throws -> String? {
        // Beside a new file its journals would be read as that one's own.
        for suffix in journals { unsafe unlink(path.description + suffix) }
        guard !path.isEmpty else {
            unsafe unlink(path.description)
            return nil
        }
        let aside = try moveAside(path)
        return "the \(path.noun) '\(path)' was damaged and is now '\(aside)'; nothing of it is used"
    }

    /// Moves a damaged file aside, and returns its name there. Earlier ones are kept, but for the last: a disk that damages one
    /// after another is not to be filled by them.
    private static func moveAside(_ path: StorePath) throws -> String {
        let names = [".damaged"] + (2...9).map { ".damaged-\($0)" }
        let free = names.first { FileStatus(of: path.description + $0) == nil }
        let aside = path.description + (free ?? names[names.count - 1])
        guard unsafe rename(path.description, aside) == 0 else {
            throw refusal("the damaged cache '\(path)' can't be moved aside", errno)
        }
        return aside
    }
}
