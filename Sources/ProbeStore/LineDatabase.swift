import GRDB
package import ProbeKit

/// The lines of a scan in one SQLite file, for questions in SQL. One process at a time writes to it, and any may read.
///
/// Lines that are given together are written whole or not at all, whatever ends the process.
package final class LineDatabase: Sendable {
    /// The reason why lines can't be written, in SQLite's words.
    package struct WriteFailure: Error {
        package let reason: String
    }

    private let path: String
    private let queue: DatabaseQueue
    private let replaceable: Set<String>

    /// The number of lines that are read together.
    private static let page = 64

    /// Opens a file that nobody else writes to, and makes the tables of an empty one.
    ///
    /// - Parameters:
    ///   - path: the file, which is made if there is none.
    ///   - replaceable: the outcomes of a target that lines of a retry replace.
    /// - Throws: ``InputError`` for a file of something else, which is left unchanged.
    package init(_ path: String, replacing replaceable: Set<String>) throws(InputError) {
        self.path = path
        self.replaceable = replaceable
        do {
            queue = try LineSchema.open(path)
        } catch let refusal as InputError {
            throw refusal
        } catch {
            throw Self.unusable(path, error)
        }
    }

    /// Writes groups of lines, all or none.
    package func append(_ groups: [[String]]) throws(WriteFailure) {
        do {
            try queue.write { db in
                for group in groups { try insert(group, in: db) }
            }
        } catch {
            throw WriteFailure(reason: Self.words(of: error))
        }
    }

    /// Returns the number of bytes of its lines, with a line break each.
    package func size() throws(InputError) -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT sum(bytes) FROM lines") ?? 0 }
    }

    /// Returns a reader of its lines: bytes of whole lines, with a line break each; nil at the end.
    package func reader() -> () throws(InputError) -> [UInt8]? {
        var last: Int64 = 0
        return { [self] () throws(InputError) in
            let rows = try read { db in
                try Row.fetchAll(
                    db, sql: "SELECT number, json FROM lines WHERE number > ? ORDER BY number LIMIT \(Self.page)",
                    arguments: [last])
            }
            guard let end = rows.last else { return nil }
            last = end["number"]
            return rows.flatMap { row in Array((row["json"] as String).utf8) + [UInt8(ascii: "\n")] }
        }
    }

    /// Removes what comes after the whole lines that are to be kept.
    ///
    /// - Parameter whole: the number of bytes of those lines.
    package func cut(to whole: Int) throws(InputError) {
        do {
            try queue.write { db in
                try db.execute(
                    sql: """
                        DELETE FROM lines WHERE number IN (
                            SELECT number FROM (SELECT number, sum(bytes) OVER (ORDER BY number) AS end FROM lines)
                            WHERE end > ?)
                        """, arguments: [whole])
            }
        } catch {
            throw Self.unusable(path, error)
        }
    }

    /// Closes it: all that was written is in the one file then.
    package func close() {
        // What a reader keeps from being moved into the file stays beside it, and counts as well.
        try? queue.close()
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

    /// Marks the last lines of the same target that failed: these took their place.
    private func replace(before first: Int64, in db: Database) throws {
        var group: (lowest: Int64, highest: Int64, hasFailed: Bool)?
        let earlier = try Row.fetchCursor(
            db,
            sql: """
                SELECT number, result, outcome FROM lines
                WHERE id = (SELECT id FROM lines WHERE number = ?1) AND number < ?1 AND NOT replaced ORDER BY number DESC
                """, arguments: [first])
        while let row = try earlier.next() {
            let number: Int64 = row["number"]
            let hasFailed = (row["outcome"] as String?).map(replaceable.contains) ?? false
            group = (number, group?.highest ?? number, (group?.hasFailed ?? false) || hasFailed)
            guard row["result"] == 1 else { continue }
            if let found = group, found.hasFailed { break }
            group = nil
        }
        guard let group else { return }
        try db.execute(
            sql: "UPDATE lines SET replaced = 1 WHERE number BETWEEN ? AND ?", arguments: [group.lowest, group.highest])
    }

    private func read<Value>(_ work: (Database) throws -> Value) throws(InputError) -> Value {
        do { return try queue.read(work) } catch { throw Self.unusable(path, error) }
    }

    private static func unusable(_ path: String, _ error: any Error) -> InputError {
        InputError(
            "\(path) can't be used: \(words(of: error))",
            remedy: "name a file on a local disk, in a folder that you may write to", source: .file)
    }

    private static func words(of error: any Error) -> String {
        (error as? DatabaseError).map { $0.message ?? "\($0.resultCode)" } ?? "\(error)"
    }
}
