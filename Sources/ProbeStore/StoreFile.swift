import GRDB
import ProbeKit
import ProbePlatform

/// The file as opened by SQLite, and the handling of one that can't be opened.
struct StoreFile {
    /// The reason why a file is left unchanged and not used.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
        var obstacle = StoreObstacle.content
    }

    let queue: DatabaseQueue
    /// The identities of the file and of its journals, by the ends of their names.
    private let parts: [String: FileStatus.Identity]
    /// The message about a damaged file.
    var notice: String?

    static let journals = ["-wal", "-shm"]

    private init(_ queue: DatabaseQueue, at path: StorePath) {
        self.queue = queue
        var parts: [String: FileStatus.Identity] = [:]
        for suffix in [""] + Self.journals { parts[suffix] = Self.identity(of: path, suffix) }
        self.parts = parts
    }

    private static func identity(of path: StorePath, _ suffix: String) -> FileStatus.Identity? {
        FileStatus(of: path.description + suffix)?.identity
    }

    /// True while the path leads to it, and false once somebody removed it or put another one in its place.
    func isAt(_ path: StorePath) -> Bool { Self.identity(of: path, "") == parts[""] }

    /// Removes its journals once it is gone itself: beside another file they would be read as that one's own.
    private func removeJournals(at path: StorePath) {
        for suffix in Self.journals {
            guard let journal = parts[suffix], Self.identity(of: path, suffix) == journal else { continue }
            unsafe unlink(path.description + suffix)
        }
    }

    /// Opens the file, and creates it if it does not exist.
    ///
    /// A file that is ours and damaged is moved aside, and a new one takes its place. One that is not ours is not touched.
    ///
    /// - Parameter gone: the file that the path led to before, and no longer does.
    /// - Throws: ``Refusal`` with the obstacle.
    static func open(_ path: StorePath, after gone: StoreFile? = nil) throws(Refusal) -> StoreFile {
        do {
            // It may be another file than the one that was checked at first.
            try path.check()
            if !path.exists {
                try FileManager.default.createDirectory(
                    atPath: path.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            let lock = StoreLock(path)
            defer { lock.end() }
            return try openedOrReplaced(path, lock, after: gone)
        } catch let refusal as Refusal {
            throw refusal
        } catch let error as InputError {
            throw Refusal(description: error.message)
        } catch let error as DatabaseError {
            throw Refusal(
                description: "the \(path.noun) '\(path)' can't be used: \(error.words(of: path.description))",
                obstacle: error.obstacle)
        } catch {
            throw refusal(
                "the folder of the \(path.noun) '\(path)' can't be made", SystemError.number(of: error) ?? EIO)
        }
    }

    private static func openedOrReplaced(
        _ path: StorePath, _ lock: StoreLock, after gone: StoreFile?
    ) throws -> StoreFile {
        if let gone {
            try take(lock, .alone, path)
            gone.removeJournals(at: path)
        }
        try take(lock, .shared, path)
        let (found, isEmpty) = (identity(of: path, ""), path.isEmpty)
        if found != nil, !isEmpty {
            do {
                return try opened(path)
            } catch let error as DatabaseError where error.isDamage {
                guard isOurs(path) else {
                    throw Refusal(description: "'\(path)' is not a \(path.noun) of probe's, so it is left alone")
                }
            }
        }
        try take(lock, .alone, path)
        var notice: String?
        // Another one by now is a whole one that another process made.
        if found != nil, identity(of: path, "") == found, path.isEmpty == isEmpty {
            notice = try putAway(path)
        }
        if !path.exists { try create(path) }
        try take(lock, .shared, path)
        var file = try opened(path)
        file.notice = notice
        return file
    }

    private static func take(_ lock: StoreLock, _ use: StoreLock.Use, _ path: StorePath) throws(Refusal) {
        if let number = lock.fault {
            throw refusal(
                "the file '\(path)\(StoreLock.suffix)', which locks the \(path.noun), can't be opened", number)
        }
        guard lock.take(use) else {
            throw Refusal(
                description: "the \(path.noun) '\(path)' is locked by another process that opens it", obstacle: .use)
        }
    }

    private static func opened(_ path: StorePath) throws -> StoreFile {
        // Read first: a file that is not ours is not written to, not even to set its journal mode.
        var reading = StoreSchema.configuration()
        reading.readonly = true
        let queue = try DatabaseQueue(file: path.description, configuration: reading)
        try queue.read { db in
            let isOurs = try Int32.fetchOne(db, sql: "PRAGMA application_id") == StoreSchema.applicationID
            let others = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index')")
            guard isOurs, others == 0 else {
                throw Refusal(description: "'\(path)' is not a \(path.noun) of probe's, so it is left alone")
            }
            guard try !StoreSchema.migrator.hasBeenSuperseded(db) else {
                throw Refusal(description: "the \(path.noun) '\(path)' is of a newer version of probe")
            }
            guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
        }
        try queue.close()
        let before = identity(of: path, "")
        let writable = try DatabaseQueue(file: path.description, configuration: StoreSchema.configuration())
        try StoreSchema.migrator.migrate(writable)
        let file = StoreFile(writable, at: path)
        guard let before, file.parts[""] == before else {
            throw Refusal(description: "the \(path.noun) '\(path)' was replaced while it was opened", obstacle: .use)
        }
        return file
    }

    /// Returns true if the header is ours, where SQLite can't read it.
    private static func isOurs(_ path: StorePath) -> Bool {
        DatabaseHeader(of: path.description)?.application == StoreSchema.applicationID
    }

    static func refusal(_ what: String, _ number: CInt) -> Refusal {
        Refusal(
            description: "\(what): \(SystemError.words(number))", obstacle: StoreObstacle(errno: number))
    }
}

/// The tables of the file, and the migration of older files.
enum StoreSchema {
    /// The application's number in the file's header: "prob".
    static let applicationID: Int32 = 0x7072_6f62

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            // Outcome, time and lifetime only: nothing about the check itself (requirement 24).
            try db.execute(
                sql: """
                    CREATE TABLE success (
                        kind TEXT NOT NULL,
                        key BLOB NOT NULL CHECK (length(key) = 32),
                        instant INTEGER NOT NULL,
                        lifetime INTEGER NOT NULL,
                        PRIMARY KEY (kind, key)
                    ) STRICT, WITHOUT ROWID
                    """)
            // Digests one after another, 32 bytes each.
            try db.execute(
                sql: """
                    CREATE TABLE baseline (
                        subject BLOB NOT NULL PRIMARY KEY CHECK (length(subject) = 32),
                        leaf BLOB NOT NULL CHECK (length(leaf) = 32),
                        keys BLOB NOT NULL CHECK (length(keys) >= 32 AND length(keys) % 32 = 0),
                        pins BLOB NOT NULL CHECK (length(pins) % 32 = 0)
                    ) STRICT, WITHOUT ROWID
                    """)
        }
        migrator.registerMigration("2") { db in
            // The last verdicts of a server's watch, as it wrote them.
            try db.execute(
                sql: """
                    CREATE TABLE document (
                        name TEXT NOT NULL PRIMARY KEY,
                        content BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID
                    """)
        }
        return migrator
    }

    /// Returns the settings of every connection. Nothing in the file is ever run: only SQLite's own harmless functions
    /// are available to its schema, and a file with anything but tables is rejected.
    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        // Other processes write for milliseconds; a verdict does not wait longer for an optional cache.
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
            // A crash of the process loses nothing, one of the machine at most the last successes.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        return configuration
    }
}
