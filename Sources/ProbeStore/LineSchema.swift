import GRDB
import ProbeKit
import ProbePlatform

/// The tables of a file of lines, and what is asked of a file before it is written to.
enum LineSchema {
    private static let applicationID = DatabaseHeader.scan
    private static let version = 1

    /// A line is kept as it was written. What is often asked for stands before it, where SQLite finds it without reading
    /// the rest; the names are those of the columns of CSV.
    private static let table = """
        CREATE TABLE lines (
            number INTEGER PRIMARY KEY,
            replaced INTEGER NOT NULL DEFAULT 0,
            schema TEXT,
            id TEXT,
            result INTEGER,
            results INTEGER,
            dialled TEXT,
            retry INTEGER,
            target TEXT,
            service TEXT,
            transport TEXT,
            resolver TEXT,
            outcome TEXT,
            stage TEXT,
            json TEXT NOT NULL
        ) STRICT
        """

    /// Writes a line, which is the one argument. What its columns have is read here and not by the table itself: a file
    /// whose tables run functions of JSON would need a connection that runs whatever they say.
    static let insert = """
        INSERT INTO lines (
            schema, id, result, results, dialled, retry, target, service, transport, resolver, outcome, stage, json)
        SELECT
            json_extract(?1, '$.schema'),
            json_extract(?1, '$.scan.id'),
            json_extract(?1, '$.scan.result'),
            json_extract(?1, '$.scan.results'),
            json_extract(?1, '$.scan.dialled'),
            json_extract(?1, '$.scan.retry'),
            json_extract(?1, '$.target'),
            json_extract(?1, '$.service'),
            json_extract(?1, '$.transport'),
            json_extract(?1, '$.resolver'),
            json_extract(?1, '$.outcome'),
            json_extract(?1, '$.stage'),
            ?1
        """

    /// What a question is asked of: the results that count, their findings and certificates.
    private static let views = [
        "CREATE INDEX lines_of_target ON lines (id) WHERE id IS NOT NULL",
        """
        CREATE VIEW results AS SELECT
            number, target, service, transport, resolver, outcome, stage,
            json_extract(json, '$.tries') AS tries,
            json_extract(json, '$.evidence.tls.address') AS address,
            json_extract(json, '$.evidence.tls.version') AS tls_version,
            json_extract(json, '$.evidence.tls.cipherSuite') AS cipher_suite,
            json_extract(json, '$.evidence.tls.group') AS "group",
            json_extract(json, '$.evidence.tls.alpn') AS alpn,
            json_extract(json, '$.evidence.chain[0].subject') AS leaf_subject,
            json_extract(json, '$.evidence.chain[0].issuer') AS leaf_issuer,
            json_extract(json, '$.evidence.chain[0].notBefore') AS leaf_not_before,
            json_extract(json, '$.evidence.chain[0].notAfter') AS leaf_not_after,
            json_extract(json, '$.evidence.chain[0].certSHA256') AS leaf_cert_sha256,
            json_extract(json, '$.evidence.chain[0].spkiSHA256') AS leaf_spki_sha256,
            json_extract(json, '$.evidence.timings.connect') AS connect_seconds,
            json_extract(json, '$.evidence.timings.handshake') AS handshake_seconds,
            lines.id, dialled, result, results,
            json
        FROM lines WHERE schema = 'probe/1' AND NOT replaced
        """,
        """
        CREATE VIEW findings AS SELECT
            number, target, dialled, transport, resolver, outcome,
            json_extract(value, '$.severity') AS severity,
            json_extract(value, '$.stage') AS stage,
            json_extract(value, '$.code') AS code,
            json_extract(value, '$.message') AS message,
            json_extract(value, '$.fix') AS fix
        FROM lines, json_each(lines.json, '$.findings') WHERE schema = 'probe/1' AND NOT replaced
        """,
        """
        CREATE VIEW certificates AS SELECT
            number, target, dialled, transport, outcome,
            json_extract(value, '$.index') AS "index",
            json_extract(value, '$.source') AS source,
            json_extract(value, '$.subject') AS subject,
            json_extract(value, '$.issuer') AS issuer,
            json_extract(value, '$.serial') AS serial,
            json_extract(value, '$.key') AS "key",
            json_extract(value, '$.notBefore') AS not_before,
            json_extract(value, '$.notAfter') AS not_after,
            json_extract(value, '$.certSHA256') AS cert_sha256,
            json_extract(value, '$.spkiSHA256') AS spki_sha256
        FROM lines, json_each(lines.json, '$.evidence.chain') WHERE schema = 'probe/1' AND NOT replaced
        """,
    ]

    /// Opens a file, and makes the tables of an empty one.
    ///
    /// - Throws: `InputError` for a file of something else, which is not written to.
    static func open(_ path: String) throws -> DatabaseQueue {
        // A name is one of the file system, whatever it begins with.
        let file = path.hasPrefix("/") ? path : "./" + path
        let isEmpty = try (FileStatus(at: path)?.size ?? 0) == 0 || isEmpty(file, path)
        var configuration = StoreSchema.configuration()
        // Somebody may be making an index; what was probed waits for that.
        configuration.busyMode = .timeout(60)
        configuration.prepareDatabase { db in
            // An index on an expression that comes while the scan runs is looked at when the file is opened again.
            try db.execute(sql: "PRAGMA trusted_schema = ON")
        }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        if isEmpty {
            try queue.write { db in
                try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
                for sql in [table] + views { try db.execute(sql: sql) }
            }
        }
        return queue
    }

    /// The refusal of a file with something that a scan did not put there.
    static func changed(_ path: String, _ what: String, remedy: String? = nil) -> InputError {
        InputError(
            "\(path) has \(what) that no scan wrote", remedy: remedy ?? "name another file, and keep this one",
            source: .file)
    }

    /// Reads the file alone. Nothing in it is run: triggers would be, and expressions of indexes, with each line.
    ///
    /// - Returns: true for a database without anything in it, like that of a process that was killed before the tables were made.
    private static func isEmpty(_ file: String, _ path: String) throws -> Bool {
        let foreign = InputError(
            "\(path) is not a database that a scan wrote",
            remedy: "name the output of an earlier scan, or a file that does not exist yet", source: .file)
        // SQLite leaves files beside one that it opens. What was not moved into a file yet has no number there.
        guard let found = DatabaseHeader(of: path)?.application, [0, applicationID].contains(found) else {
            throw foreign
        }
        var configuration = StoreSchema.configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            let isEmpty = try queue.read { db in
                let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
                let written = try Int.fetchOne(db, sql: "PRAGMA user_version")
                if application == 0, written == 0, try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8",
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
                {
                    return true
                }
                guard application == applicationID else { throw foreign }
                guard written == version else {
                    throw InputError(
                        "\(path) is of another version of this program", remedy: "go on with that one, or begin anew",
                        source: .file)
                }
                try check(db, path)
                return false
            }
            try queue.close()
            return isEmpty
        } catch let error as DatabaseError where error.isDamage {
            throw foreign
        }
    }

    private static func check(_ db: Database, _ path: String) throws {
        guard try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'lines'") == table else {
            throw changed(path, "a table of lines")
        }
        if let trigger = try String.fetchOne(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
            throw changed(path, "the trigger '\(trigger)'", remedy: "take it out with DROP TRIGGER")
        }
        // With an expression, a condition or a rule of its own. The one that a scan made has a condition.
        let index = try String.fetchOne(
            db,
            sql: """
                SELECT list.name FROM pragma_index_list('lines') AS list
                WHERE list.name <> 'lines_of_target' AND (list."unique" OR list.partial OR EXISTS (
                    SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2))
                    OR list.name = 'lines_of_target'
                    AND (SELECT sql FROM sqlite_schema WHERE name = 'lines_of_target') <> ?
                """, arguments: [views[0]])
        if let index {
            throw changed(
                path, "the index '\(index)'", remedy: "take it out with DROP INDEX; those on columns alone can stay")
        }
    }
}
