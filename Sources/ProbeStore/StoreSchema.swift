import GRDB

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
