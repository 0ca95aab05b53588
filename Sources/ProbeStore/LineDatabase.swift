import GRDB
package import ProbeKit
import ProbePlatform
import Synchronization

/// The lines of a scan in one SQLite file, for questions in SQL. One process at a time writes to it, and any may read.
///
/// Lines that are given together are written whole or not at all, whatever ends the process.
package final class LineDatabase: Sendable {
    /// The reason why lines can't be written, in SQLite's words.
    package struct WriteFailure: Error {
        package let reason: String
    }

    private let path: String
    /// The file as opened; the reason if it was empty, and its tables have no room.
    private let opened: Result<DatabaseQueue, WriteFailure>
    private let replaceable: Set<String>
    private let isClosed = Atomic(false)

    /// The number of lines that are read together.
    private static let page = 64

    /// Opens a file that nobody else writes to, and makes the tables of an empty one. Where a disk has no room for them the
    /// first write fails, as it does with any other output.
    ///
    /// - Parameters:
    ///   - path: the file, which is made if there is none.
    ///   - replaceable: the outcomes of a target that lines of a retry replace.
    /// - Throws: ``InputError`` for a file of something else, which is left unchanged.
    package init(_ path: String, replacing replaceable: Set<String>) throws(InputError) {
        self.path = path
        self.replaceable = replaceable
        let isEmpty = (FileStatus(at: path)?.size ?? 0) == 0
        do {
            opened = .success(try LineSchema.open(path))
        } catch let refusal as InputError {
            throw refusal
        } catch let error as DatabaseError where isEmpty && error.obstacle == .room {
            opened = .failure(WriteFailure(reason: error.words(of: path)))
        } catch {
            throw Self.unusable(path, error)
        }
    }

    /// Writes groups of lines, all or none.
    package func append(_ groups: [[String]]) throws(WriteFailure) {
        let queue = try opened.get()
        do {
            try queue.write { db in
                for group in groups { try insert(group, in: db) }
            }
        } catch {
            throw WriteFailure(reason: Self.words(of: error, path))
        }
    }

    /// Returns a reader of its lines: bytes of whole lines, with a line break each; nil at the end.
    package func reader() -> () throws(InputError) -> [UInt8]? {
        var last = Int64.min
        return { [self] () throws(InputError) in
            guard case .success(let queue) = opened else { return nil }
            let rows = try read(queue) { db in
                try Row.fetchAll(
                    db, sql: "SELECT number, json FROM lines WHERE number > ? ORDER BY number LIMIT \(Self.page)",
                    arguments: [last])
            }
            guard let end = rows.last else { return nil }
            last = end["number"]
            var bytes: [UInt8] = []
            for row in rows {
                guard let text = String.fromDatabaseValue(row["json"]) else { throw LineSchema.changed(path, "a line") }
                bytes += Array(text.utf8) + [UInt8(ascii: "\n")]
            }
            return bytes
        }
    }

    /// Closes it, as one file that may also be read where nothing can be written.
    ///
    /// - Returns: why lines are left in the file beside it, whose name ends with `-wal`; nil if none are, or it was closed before.
    @discardableResult package func close() -> String? {
        guard !isClosed.exchange(true, ordering: .relaxed), case .success(let queue) = opened else { return nil }
        defer { try? queue.close() }
        do {
            return try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA busy_timeout = 100")
                let isBusy = try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? true
                // Fails while others have it open; nothing depends on it.
                try? db.execute(sql: "PRAGMA journal_mode = DELETE")
                return isBusy ? "another program reads" : nil
            }
        } catch {
            return Self.words(of: error, path)
        }
    }

    private func insert(_ group: [String], in db: Database) throws {
        let statement = try db.cachedStatement(sql: LineSchema.insert)
        var first: Int64?
        for line in group {
            try statement.execute(arguments: [line])
            first = first ?? db.lastInsertedRowID
        }
        guard let first, try isRetry(first, in: db) else { return }
        try replace(before: first, in: db)
    }

    private func isRetry(_ number: Int64, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT retry FROM lines WHERE number = ?"), arguments: [number]) ?? false
    }

    /// Marks the lines whose place these took.
    private func replace(before first: Int64, in db: Database) throws {
        // The order in which a scan reads its lines: a twin's new failure is not that of a line whose certificate was renewed.
        guard try !replace(before: first, having: Self.otherCertificate, ifFailed: false, in: db) else { return }
        _ = try replace(before: first, having: Self.sameTarget, ifFailed: true, in: db)
    }

    private static let sameTarget = "id = (SELECT id FROM lines WHERE number = ?1)"
    /// Targets of one line with different client certificates have the first half of the identifier in common.
    private static let otherCertificate = """
        id > (SELECT substr(id, 1, 16) FROM lines WHERE number = ?1)
        AND id < (SELECT substr(id, 1, 16) || 'g' FROM lines WHERE number = ?1)
        AND id <> (SELECT id FROM lines WHERE number = ?1)
        """

    /// Marks the first lines of a target that count. A list may name it twice.
    ///
    /// - Parameter ifFailed: true to mark those of a target that failed alone.
    /// - Returns: false if there are none.
    private func replace(
        before first: Int64, having condition: String, ifFailed: Bool, in db: Database
    ) throws -> Bool {
        var group: (lowest: Int64, hasFailed: Bool)?
        let earlier = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, result, results, outcome FROM lines
                WHERE \(condition) AND number < ?1 AND NOT replaced ORDER BY number
                """, arguments: [first])
        while let row = try earlier.next() {
            let number: Int64 = row["number"]
            if row["result"] == 1 { group = (number, false) }
            if String.fromDatabaseValue(row["outcome"]).map(replaceable.contains) == true { group?.hasFailed = true }
            guard let found = group, found.hasFailed || !ifFailed, row["result"] as Int? == row["results"] as Int?
            else { continue }
            try db.execute(
                sql: "UPDATE lines SET replaced = 1 WHERE number BETWEEN ? AND ?", arguments: [found.lowest, number])
            return true
        }
        return false
    }

    private func read<Value>(
        _ queue: DatabaseQueue, _ work: (Database) throws -> Value
    ) throws(InputError) -> Value {
        do { return try queue.read(work) } catch { throw Self.unusable(path, error) }
    }

    private static func unusable(_ path: String, _ error: any Error) -> InputError {
        let remedy =
            switch (error as? DatabaseError)?.obstacle {
            case .use?: "end the program that uses it, and try again"
            case .content?: "name another file; sqlite3 with .recover shows what can still be read of this one"
            case .room?: "make room on its disk, or name a file on another"
            case .place?, nil: "name a file on a local disk, in a folder that you may write to"
            }
        return InputError("\(path) can't be used: \(words(of: error, path))", remedy: remedy, source: .file)
    }

    private static func words(of error: any Error, _ path: String) -> String {
        (error as? DatabaseError)?.words(of: path) ?? "\(error)"
    }
}
