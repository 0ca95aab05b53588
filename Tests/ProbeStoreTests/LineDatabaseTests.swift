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

    @Test("lines come back in their order, and are cut at whole ones") func order() throws {
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
        #expect(try database.size() == texts.joined().utf8.count)
        try database.cut(to: texts.prefix(11).joined().utf8.count)
        #expect(try all(database) == texts.prefix(11).joined())
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

    @Test("a retry replaces the last lines of its target that failed, and no others") func retries() throws {
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
        let next = try LineDatabase(path(scratch), replacing: replaceable)
        try next.append([target("a", ["pass", "pass"], isRetry: true)])
        try next.append([target("b", ["pass", "pass"], isRetry: true), target("b", ["pass", "pass"], isRetry: true)])
        next.close()
        #expect(try replaced() == [1, 2, 3, 4, 7, 8, 9, 10])
    }

    /// Made by `sql`, or the bytes themselves.
    @Test(
        "a file of something else is not written to",
        arguments: [
            ("text", nil, "not a database that a scan wrote"),
            (
                "another table", "CREATE TABLE lines (number INTEGER PRIMARY KEY, json TEXT)",
                "not a database that a scan wrote"
            ),
            (
                "a trigger", "CREATE TRIGGER t AFTER INSERT ON lines BEGIN DELETE FROM lines; END",
                "not a database that a scan wrote"
            ),
            ("a newer version", "PRAGMA user_version = 9", "another version"),
            ("another program's", "PRAGMA application_id = 7", "not a database that a scan wrote"),
        ] as [(String, String?, String)])
    func foreign(_ name: String, _ sql: String?, _ reason: String) throws {
        let scratch = try Scratch()
        if let sql {
            if name != "another table" { try LineDatabase(path(scratch), replacing: replaceable).close() }
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
    }

    /// A process that is killed at its beginning leaves one.
    @Test("a database without tables counts as an empty file, and indexes of people are left alone") func empty() throws
    {
        let scratch = try Scratch()
        let queue = try DatabaseQueue(path: path(scratch))
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = wal") }
        try queue.close()
        try LineDatabase(path(scratch), replacing: replaceable).close()
        let own = try DatabaseQueue(path: path(scratch))
        try own.write { try $0.execute(sql: "CREATE INDEX mine ON lines (outcome)") }
        try own.close()
        let database = try LineDatabase(path(scratch), replacing: replaceable)
        try database.append([[Self.line("a", "pass")]])
        #expect(try database.size() == Self.line("a", "pass").utf8.count + 1)
    }
}
