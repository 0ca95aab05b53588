import GRDB
import ProbeKit
import ProbePlatform

/// The tables of a file of lines, and what is asked of a file before it is written to.
enum LineSchema {
    /// The application's number in the file's header: "prsc".
    private static let applicationID: Int32 = 0x7072_7363
    private static let version = 1

    /// A line is kept as it was written. What is often asked for stands before it, where SQLite finds it without reading
    /// the rest; the names are those of the columns of CSV.
    private static let table = """
        CREATE TABLE lines (
            number INTEGER PRIMARY KEY,
            bytes INTEGER NOT NULL,
            replaced INTEGER NOT NULL DEFAULT 0,
            schema TEXT,
            id TEXT,
            result INTEGER,
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
        INSERT INTO lines (bytes, schema, id, result, retry, target, service, transport, resolver, outcome, stage, json)
        SELECT
            length(CAST(?1 AS BLOB)) + 1,
            json_extract(?1, '$.schema'),
            json_extract(?1, '$.scan.id'),
            json_extract(?1, '$.scan.result'),
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
            json
        FROM lines WHERE schema = 'probe/1' AND NOT replaced
        """,
        """
        CREATE VIEW findings AS SELECT
            number, target, transport, resolver, outcome,
            json_extract(value, '$.severity') AS severity,
            json_extract(value, '$.stage') AS stage,
            json_extract(value, '$.code') AS code,
            json_extract(value, '$.message') AS message,
            json_extract(value, '$.fix') AS fix
        FROM lines, json_each(lines.json, '$.findings') WHERE schema = 'probe/1' AND NOT replaced
        """,
        """
        CREATE VIEW certificates AS SELECT
            number, target, transport, outcome,
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
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        if isEmpty {
            try queue.write { db in
                try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
                for sql in [table] + views { try db.execute(sql: sql) }
            }
        }
        return queue
    }

    /// Reads the file alone. Nothing in it is run: a trigger would be, with each line.
    ///
    /// - Returns: true for a database without anything in it, like that of a process that was killed before the tables were made.
    private static func isEmpty(_ file: String, _ path: String) throws -> Bool {
        var configuration = StoreSchema.configuration()
        configuration.readonly = true
        let foreign = InputError(
            "\(path) is not a database that a scan wrote",
            remedy: "name the output of an earlier scan, or a file that does not exist yet", source: .file)
        do {
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            let isEmpty = try queue.read { db in
                if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return true }
                guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID else { throw foreign }
                guard try Int.fetchOne(db, sql: "PRAGMA user_version") == version else {
                    throw InputError(
                        "\(path) is of another version of this program", remedy: "go on with that one, or begin anew",
                        source: .file)
                }
                let ours = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'lines'")
                let triggers = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'")
                guard ours == table, triggers == 0 else { throw foreign }
                return false
            }
            try queue.close()
            return isEmpty
        } catch let error as DatabaseError where error.isDamage {
            throw foreign
        }
    }
}
