import Foundation
import GRDB
import ProbeKit
import ProbeStore
import Testing

/// Lines in a database, and the files that are none.
@Suite struct LineDatabaseTests {
    private let replaceable: Set = ["unreachable"]

    private static func line(
        _ id: String, _ outcome: String, result: Int = 1, of results: Int = 1, isRetry: Bool = false
    ) -> String {
        #"{"outcome":"\#(outcome)","scan":{"id":"\#(id)","result":\#(result),"results":\#(results),"retry":\#(isRetry)},"#
            + #""schema":"probe/1","target":"\#(id).test"}"#
    }

    private func path(_ scratch: Scratch) -> String { "\(scratch.folder)/lines.sqlite" }

    private func all(_ database: LineDatabase) throws -> String {
        let read = database.reader()
        var bytes: [UInt8] = []
        while let piece = try read() { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("lines come back in their order, and go on") func order() throws {
        let scratch = try Scratch()
        try Data().write(to: URL(filePath: path(scratch)))
        let groups = (0..<300).map { number in
            (1...2).map { Self.line("\(number)é", "pass", result: $0, of: 2) }
        }
        let texts = groups.flatMap(\.self).map { $0 + "\n" }
        do {
            let database = try LineDatabase(path(scratch), replacing: replaceable)
            for group in groups { try database.append([group]) }
            database.close()
        }
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        #expect(try all(database) == texts.joined())
        try database.append([[Self.line("last", "pass")]])
        #expect(try all(database).hasSuffix(Self.line("last", "pass") + "\n"))
    }

    @Test("a line that is not JSON leaves nothing of what was given with it") func together() throws {
        let scratch = try Scratch()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        #expect(throws: LineDatabase.WriteFailure.self) {
            try database.append([[Self.line("a", "pass")], [Self.line("b", "pass"), "{"]])
        }
        #expect(try all(database) == "")
    }

    @Test("a retry replaces the first lines of its target that failed, and no others") func retries() throws {
        let scratch = try Scratch()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        func target(_ id: String, _ outcomes: [String], isRetry: Bool = false) -> [String] {
            outcomes.enumerated().map {
                Self.line(id, $0.element, result: $0.offset + 1, of: outcomes.count, isRetry: isRetry)
            }
        }
        try database.append([
            target("a", ["unreachable", "pass"]), target("b", ["unreachable", "pass"]), target("a", ["pass", "pass"]),
            target("b", ["pass", "unreachable"]),
        ])
        try database.append([target("a", ["pass", "unreachable"], isRetry: true)])
        database.close()
        func replaced() throws -> [Int] {
            let queue = try DatabaseQueue(path: path(scratch))
            defer { try? queue.close() }
            return try queue.read {
                try Int.fetchAll($0, sql: "SELECT number FROM lines WHERE replaced ORDER BY number")
            }
        }
        #expect(try replaced() == [1, 2])
        // What was not retried yet comes before what was.
        let next = try LineDatabase(path(scratch), replacing: replaceable)
        try next.append([target("a", ["pass", "pass"], isRetry: true)])
        try next.append([target("b", ["pass", "pass"], isRetry: true), target("b", ["pass", "pass"], isRetry: true)])
        next.close()
        #expect(try replaced() == [1, 2, 3, 4, 7, 8, 9, 10])
    }

    @Test("a retry replaces lines with another client certificate, whatever their outcome") func renewed() throws {
        let scratch = try Scratch()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        let (line, other) = (String(repeating: "a", count: 16), String(repeating: "b", count: 16))
        let ends = ["0", "f", "7"].map { String(repeating: $0, count: 16) }
        try database.append([[Self.line(line + ends[0], "pass")], [Self.line(other + ends[0], "pass")]])
        for end in ends[1...] { try database.append([[Self.line(line + end, "pass", isRetry: true)]]) }
        database.close()
        let queue = try DatabaseQueue(path: path(scratch))
        defer { try? queue.close() }
        let replaced = try queue.read {
            try Int.fetchAll($0, sql: "SELECT number FROM lines WHERE replaced ORDER BY number")
        }
        #expect(replaced == [1, 3])
    }

    @Test(
        "of a target given twice, a retry replaces lines with another certificate before its twin's failure",
        arguments: [["unreachable", "unreachable"], ["unreachable", "pass"], ["pass", "unreachable"]])
    func renewedTwins(outcomes: [String]) throws {
        let scratch = try Scratch()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        let line = String(repeating: "a", count: 16)
        let ids = ["0", "f"].map { line + String(repeating: $0, count: 16) }
        try database.append([[Self.line(ids[0], "unreachable")], [Self.line(ids[0], "pass")]])
        for outcome in outcomes { try database.append([[Self.line(ids[1], outcome, isRetry: true)]]) }
        database.close()
        let queue = try DatabaseQueue(path: path(scratch))
        defer { try? queue.close() }
        let replaced = try queue.read {
            try Int.fetchAll($0, sql: "SELECT number FROM lines WHERE replaced ORDER BY number")
        }
        #expect(replaced == [1, 2])
    }

    /// Each is SQL that is run on a database of a scan or on an empty one; nil is a file of text.
    @Test(
        "a file of something else is not written to, nor another made beside it",
        arguments: [
            ("text", nil, "not a database that a scan wrote"),
            (
                "another table", "CREATE TABLE lines (number INTEGER PRIMARY KEY, json TEXT)",
                "not a database that a scan wrote"
            ),
            (
                "nothing in it", "PRAGMA application_id = 77; PRAGMA user_version = 5",
                "not a database that a scan wrote"
            ),
            (
                "nothing in it", "PRAGMA encoding = 'UTF-16'; CREATE TABLE t (a); DROP TABLE t",
                "not a database that a scan wrote"
            ),
            (
                "another table", "PRAGMA journal_mode = wal; CREATE TABLE t (a)", "not a database that a scan wrote"
            ),
            ("a column", "ALTER TABLE lines ADD COLUMN more TEXT", "a table of lines that no scan wrote"),
            ("a trigger", "CREATE TRIGGER t AFTER INSERT ON lines BEGIN DELETE FROM lines; END", "the trigger 't'"),
            ("a rule", "CREATE UNIQUE INDEX u ON lines (target)", "the index 'u'"),
            ("an expression", "CREATE INDEX e ON lines (hex(json))", "the index 'e'"),
            ("a condition", "CREATE INDEX c ON lines (target) WHERE length(json) > 3", "the index 'c'"),
            (
                "another index", "DROP INDEX lines_of_target; CREATE INDEX lines_of_target ON lines (upper(id))",
                "the index 'lines_of_target'"
            ),
            (
                "a kind in other letters",
                """
                CREATE TRIGGER t AFTER INSERT ON lines BEGIN DELETE FROM lines; END;
                PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'Trigger' WHERE name = 't'
                """, "the trigger 't'"
            ),
            (
                "a name in other letters",
                """
                DROP INDEX lines_of_target; CREATE INDEX lines_of_target ON lines (upper(id));
                PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = 'LINES_OF_TARGET' WHERE type = 'index'
                """, "the index '"
            ),
            ("a newer version", "PRAGMA user_version = 9", "another version"),
            ("another program's", "PRAGMA application_id = 7", "not a database that a scan wrote"),
        ] as [(String, String?, String)])
    func foreign(_ name: String, _ sql: String?, _ reason: String) throws {
        let scratch = try Scratch()
        if let sql {
            if !["another table", "nothing in it"].contains(name) {
                try LineDatabase(path(scratch), replacing: replaceable).close()
            }
            let queue = try DatabaseQueue(path: path(scratch))
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
        } else {
            try Data("127.0.0.1:1\n".utf8).write(to: URL(filePath: path(scratch)))
        }
        let before = try scratch.bytes("lines.sqlite")
        let error = #expect(throws: InputError.self) { try LineDatabase(path(scratch), replacing: replaceable) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(try scratch.bytes("lines.sqlite") == before)
        // SQLite makes two beside one of ours, to read it.
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder)
        #expect(reason.hasPrefix("not") ? names == ["lines.sqlite"] : names.contains("lines.sqlite"), "\(names)")
    }

    @Test("indexes on columns are left alone") func indexes() throws {
        let scratch = try Scratch()
        try LineDatabase(path(scratch), replacing: replaceable).close()
        let own = try DatabaseQueue(path: path(scratch))
        try own.write { try $0.execute(sql: "CREATE INDEX mine ON lines (outcome)") }
        try own.close()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        try database.append([[Self.line("a", "pass")]])
        #expect(try all(database) == Self.line("a", "pass") + "\n")
    }

    /// A killed process leaves a journal of the change that it was making in place.
    @Test("what was being written in place is taken back, and the file goes on") func hotJournal() throws {
        let scratch = try Scratch()
        do {
            let database = try LineDatabase(path(scratch), replacing: replaceable)
            try database.append((0..<500).map { [Self.line("\($0)", "pass")] })
            database.close()
        }
        let lines = "\(scratch.folder)/lines.sqlite"
        let copy = "\(scratch.folder)/copy.sqlite"
        let own = try DatabaseQueue(path: lines)
        try own.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE lines SET outcome = 'unreachable'")
            for end in ["", "-journal"] { try FileManager.default.copyItem(atPath: lines + end, toPath: copy + end) }
            try db.execute(sql: "ROLLBACK")
        }
        try own.close()
        let database = try LineDatabase(copy, replacing: replaceable)
        try database.append([[Self.line("last", "pass")]])
        database.close()
        let queue = try DatabaseQueue(path: copy)
        #expect(
            try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM lines WHERE outcome = 'pass'") } == 501)
        #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
    }

    @Test("a reader that keeps lines beside the file is named") func readMeanwhile() throws {
        let scratch = try Scratch()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        try database.append([[Self.line("a", "pass")]])
        var configuration = Configuration()
        configuration.readonly = true
        let reader = try DatabaseQueue(path: path(scratch), configuration: configuration)
        try reader.read { db in
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM lines") == 1)
            try database.append([[Self.line("b", "pass")]])
            #expect(database.close() == "another program reads")
            #expect(database.close() == nil)
        }
        try reader.close()
        #expect(try all(LineDatabase(path(scratch), replacing: replaceable)).split(separator: "\n").count == 2)
    }

    /// Its statements are those that it was opened with.
    @Test("an index that comes while lines are written does not end that") func indexMeanwhile() throws {
        let scratch = try Scratch()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        try database.append([[Self.line("a", "pass")]])
        let own = try DatabaseQueue(path: path(scratch))
        try own.write { try $0.execute(sql: "CREATE INDEX mine ON lines (json_extract(json, '$.outcome'))") }
        try database.append([[Self.line("b", "pass")]])
        #expect(try all(database).split(separator: "\n").count == 2)
        // Who reads keeps nothing from the file, unless it is in the middle of it.
        #expect(database.close() == nil)
        try own.close()
        #expect(throws: InputError.self) { try LineDatabase(path(scratch), replacing: replaceable) }
    }

    @Test("a line of bytes that are no text is an error with a name") func notText() throws {
        let scratch = try Scratch()
        do {
            let database = try LineDatabase(path(scratch), replacing: replaceable)
            try database.append([[Self.line("a", "pass")]])
            database.close()
        }
        // The table says that it has none.
        func toggle(_ version: Int, then sql: String) throws {
            let queue = try DatabaseQueue(path: path(scratch))
            try queue.writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        PRAGMA writable_schema = ON;
                        UPDATE sqlite_schema
                        SET sql = CASE WHEN sql LIKE '% STRICT' THEN substr(sql, 1, length(sql) - 7) ELSE sql || ' STRICT' END
                        WHERE name = 'lines';
                        PRAGMA schema_version = \(version)
                        """)
            }
            try queue.close()
            let next = try DatabaseQueue(path: path(scratch))
            try next.writeWithoutTransaction { try $0.execute(sql: sql) }
            try next.close()
        }
        try toggle(1000, then: "UPDATE lines SET json = x'ff00fe'")
        try toggle(1001, then: "SELECT 1")
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        let error = #expect(throws: InputError.self) { _ = try all(database) }
        #expect(error?.message.contains("a line that no scan wrote") == true)
    }
}
