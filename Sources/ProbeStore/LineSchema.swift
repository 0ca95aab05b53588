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

    /// The views that answer questions: the results that count, their findings and certificates.
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
        if try (FileStatus(at: path)?.size ?? 0) == 0 || isEmpty(path) { try make(path) }
        var configuration = StoreSchema.configuration()
        // Somebody may be making an index; what was probed waits for that.
        configuration.busyMode = .timeout(60)
        configuration.prepareDatabase { db in
            // An index on an expression that comes while the scan runs is looked at when the file is opened again.
            try db.execute(sql: "PRAGMA trusted_schema = ON")
        }
        return try DatabaseQueue(file: path, configuration: configuration)
    }

    /// Makes the tables, before the file beside it is used: from then on the header says whose it is.
    private static func make(_ path: String) throws {
        let queue = try DatabaseQueue(file: path, configuration: rollback)
        try queue.write { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            for sql in [table] + views { try db.execute(sql: sql) }
        }
        try queue.close()
    }

    /// The settings for a file that SQLite writes to in place.
    private static var rollback: Configuration {
        var configuration = StoreSchema.configuration()
        configuration.journalMode = .default
        return configuration
    }

    /// The refusal of a file with something that a scan did not put there.
    static func changed(_ path: String, _ what: String, remedy: String? = nil) -> InputError {
        InputError(
            "\(path) has \(what) that no scan wrote", remedy: remedy ?? "name another file, and keep this one",
            source: .file)
    }

    /// Reads the file alone. Nothing in it is run: triggers would be, and expressions of indexes, with each line.
    ///
    /// - Returns: true for a database of ours without anything in it: a process was killed while it made the tables.
    private static func isEmpty(_ path: String) throws -> Bool {
        let foreign = InputError(
            "\(path) is not a database that a scan wrote",
            remedy: "name the output of an earlier scan, or a file that does not exist yet", source: .file)
        // SQLite leaves files beside one that it opens.
        guard DatabaseHeader(of: path)?.application == applicationID else { throw foreign }
        func read() throws -> Bool {
            var configuration = StoreSchema.configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(file: path, configuration: configuration)
            let isEmpty = try queue.read { db in
                if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return true }
                guard try Int.fetchOne(db, sql: "PRAGMA user_version") == version else {
                    throw InputError(
                        "\(path) is of another version of this program", remedy: "go on with that one, or begin anew",
                        source: .file)
                }
                try check(db, path)
                return false
            }
            try queue.close()
            return isEmpty
        }
        do {
            do {
                return try read()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
                // A process was killed while it wrote in place; that is taken back by who may write.
                let queue = try DatabaseQueue(file: path, configuration: rollback)
                _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
                try queue.close()
                return try read()
            }
        } catch let error as DatabaseError where error.isDamage {
            throw foreign
        }
    }

    private static func check(_ db: Database, _ path: String) throws {
        // SQLite compares names and kinds without regard to case.
        let rows = try Row.fetchAll(db, sql: "SELECT lower(type) AS type, name, sql FROM sqlite_schema")
        func own(_ name: String) -> [Row] { rows.filter { ($0["name"] as String).lowercased() == name } }
        func isOurs(_ found: [Row], _ type: String, _ sql: String) -> Bool {
            found.count == 1 && found[0]["type"] == type && found[0]["sql"] == sql
        }
        guard isOurs(own("lines"), "table", table) else { throw changed(path, "a table of lines") }
        if let other = rows.first(where: { !["table", "index", "view"].contains($0["type"] as String) }) {
            throw changed(path, "the trigger '\(other["name"] as String)'", remedy: "take it out with DROP TRIGGER")
        }
        // With an expression, a condition or a rule of its own. The one that a scan made has a condition.
        let hasOwn = isOurs(own("lines_of_target"), "index", views[0])
        let indexes = try String.fetchAll(
            db,
            sql: """
                SELECT list.name FROM pragma_index_list('lines') AS list
                WHERE list."unique" OR list.partial
                    OR EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2)
                """)
        if let index = indexes.first(where: { !hasOwn || $0 != "lines_of_target" }) {
            throw changed(
                path, "the index '\(index)'", remedy: "take it out with DROP INDEX; those on columns alone can stay")
        }
    }
}
