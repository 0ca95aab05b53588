import Dispatch
import GRDB
public import ProbeKit
import ProbePins
public import ProbePlatform
public import ProbeRun

/// Successes and baselines in one SQLite file, which several processes may use at once and any of which may be killed.
///
/// It never blocks a verdict: an unusable file remembers nothing, and the reason is reported once for as long as it lasts. A
/// file that is removed under it is made anew.
public actor SuccessStore: SuccessCache, BaselineStore {
    /// The kinds of access to the file.
    private enum Access { case read, write }

    /// The file's path.
    public nonisolated let path: StorePath
    private let report: @Sendable (String) -> Void
    /// The kind of what was last in the way; nil if nothing was.
    package private(set) var obstacle: StoreObstacle?
    /// The obstacles that were reported, each once until an access disproves it.
    private var told: [String: Access] = [:]
    /// The opened file, nil if it could not be opened; nil until it is first used.
    private var opening: Task<StoreFile?, Never>?
    /// The end of a time in which the file is not tried: each try may wait for the process that holds it.
    private var pausedUntil = ContinuousClock.now
    private let pause: Duration

    /// Creates a store in a file, which is created when it is first used.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - pause: the time for which a file that is locked or can't be opened is left alone.
    ///   - report: called with a sentence why the file can't be used or what was done with a damaged one.
    /// - Throws: ``InputError`` if others can write to the file or its folder.
    public init(
        _ path: StorePath, pause: Duration = .seconds(30), report: @escaping @Sendable (String) -> Void
    ) throws(InputError) {
        try path.check()
        self.path = path
        self.pause = pause
        self.report = report
    }

    /// Returns the time of the check's last success.
    public func lastSuccess(of key: CacheKey) async -> Date? {
        await read { db in
            try Row.fetchOne(
                db, sql: "SELECT instant FROM success WHERE kind = ? AND key = ?", arguments: key.arguments
            ).flatMap { Date(milliseconds: $0["instant"]) }
        } ?? nil
    }

    /// Remembers a success, and forgets expired ones.
    public func recordSuccess(of key: CacheKey, at instant: Date, for lifetime: CacheLifetime) async {
        guard let milliseconds = instant.milliseconds else { return }
        await write { db in
            // One from the future would count later. Another process's clock may be a little ahead.
            try db.execute(
                sql: "DELETE FROM success WHERE instant + lifetime * 1000 <= ?1 OR instant > ?1 + 60000",
                arguments: [milliseconds])
            try db.execute(
                sql: "INSERT OR REPLACE INTO success (kind, key, instant, lifetime) VALUES (?, ?, ?, ?)",
                arguments: key.arguments + [milliseconds, lifetime.seconds])
        }
    }

    /// Returns the baseline of a subject of a watch.
    public func baseline(for subject: String) async -> Baseline? {
        await read { db in
            try Row.fetchOne(
                db, sql: "SELECT leaf, keys, pins FROM baseline WHERE subject = ?",
                arguments: [Self.key(subject)]
            ).flatMap(Baseline.init)
        } ?? nil
    }

    /// Replaces a subject's baseline, by one that has keys: an empty one never replaces a good one (requirement 73).
    public func replaceBaseline(_ baseline: Baseline, for subject: String) async {
        guard !baseline.keys.isEmpty else { return }
        await write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO baseline (subject, leaf, keys, pins) VALUES (?, ?, ?, ?)",
                arguments: StatementArguments([Self.key(subject)] + baseline.columns))
        }
    }

    /// Returns all documents by their names; nil if the file can't be used.
    public func documents() async -> [String: Data]? {
        let rows = await read { db in
            try Row.fetchAll(db, sql: "SELECT name, content FROM document").compactMap { row in
                String.fromDatabaseValue(row["name"]).flatMap { name in
                    Data.fromDatabaseValue(row["content"]).map { (name, $0) }
                }
            }
        }
        return rows.map { Dictionary($0) { _, last in last } }
    }

    /// Replaces a document, whole or not at all.
    public func replaceDocument(_ content: Data, named name: String) async {
        await write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO document (name, content) VALUES (?, ?)", arguments: [name, content])
        }
    }

    /// Removes the documents of these names.
    public func removeDocuments(named names: [String]) async {
        await write { db in
            for name in names { try db.execute(sql: "DELETE FROM document WHERE name = ?", arguments: [name]) }
        }
    }

    private static func key(_ subject: String) -> Data { Data(PinDigest.sha256(of: subject.utf8).bytes) }

    /// Returns the remembered checks, the latest first; nil if the file can't be used.
    public func contents() async -> StoredContents? {
        await read { db in
            StoredContents(
                successes: try Row.fetchAll(
                    db, sql: "SELECT kind, key, instant, lifetime FROM success ORDER BY instant DESC, key"
                ).compactMap(StoredSuccess.init),
                baselines: try Int.fetchOne(db, sql: "SELECT count(*) FROM baseline") ?? 0)
        }
    }

    /// Forgets every success, and on request every baseline too (requirement 32).
    ///
    /// - Returns: the numbers of forgotten successes and baselines; nil if the file can't be used.
    public func clear(baselines: Bool = false) async -> (successes: Int, baselines: Int)? {
        await write { db in
            try db.execute(sql: "DELETE FROM success")
            let successes = db.changesCount
            guard baselines else { return (successes, 0) }
            try db.execute(sql: "DELETE FROM baseline")
            return (successes, db.changesCount)
        }
    }

    private func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async -> Value? {
        await attempt(.read) { try await $0.read(work) }
    }

    @discardableResult
    private func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async -> Value? {
        await attempt(.write) { try await $0.write(work) }
    }

    /// Does something with the file; nil if that fails.
    ///
    /// It does so in a task of its own: GRDB gives up what a cancelled one asks for (`SerializedDatabase.execute`), and a watch
    /// that a signal ends is cancelled before it has kept what it saw.
    private func attempt<Value: Sendable>(
        _ access: Access, _ work: @escaping @Sendable (DatabaseQueue) async throws -> Value
    ) async -> Value? {
        guard ContinuousClock.now >= pausedUntil else { return nil }
        guard let (file, opening) = await opened() else { return nil }
        do {
            let value = try await Task { try await work(file.queue) }.value
            // A full disk can still be read: what keeps from writing is over when something was written.
            told = access == .write ? [:] : told.filter { $0.value == .write }
            return value
        } catch {
            let database = error as? DatabaseError
            // The next call opens the file again, and finds the damage or another process's replacement.
            if database?.isDamage ?? false, self.opening == opening { self.opening = nil }
            if [.SQLITE_BUSY, .SQLITE_LOCKED].contains(database?.resultCode) { pausedUntil = .now + pause }
            obstacle = database?.obstacle ?? .content
            tell(
                "the \(path.noun) '\(path)' can't be used: \(database?.words(of: path.description) ?? "\(error)")",
                of: access)
            return nil
        }
    }

    /// The file that the path led to before, until another one is open: its journals would be read as that one's own.
    private var gone: StoreFile?

    /// Returns the file that the path leads to, with the task that opened it; nil if it can't be opened.
    private func opened() async -> (StoreFile, Task<StoreFile?, Never>)? {
        let opening = self.opening ?? open()
        guard let file = await opening.value else { return nil }
        guard !file.isAt(path) else { return (file, opening) }
        // Of calls at the same time the first one opens it anew.
        if self.opening == opening {
            // Each time something is lost.
            report("the \(path.noun) '\(path)' was removed or replaced while it was used; it is opened anew")
            gone = file
            self.opening = open()
        }
        let next = self.opening ?? open()
        return await next.value.map { ($0, next) }
    }

    /// Opens the file on a thread of its own, since that may wait for other processes.
    private func open() -> Task<StoreFile?, Never> {
        let opening = Task { [path, gone] in
            let file = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(StoreFile.Refusal) in try StoreFile.open(path, after: gone) })
                }
            }
            switch file {
            case .success(let file):
                self.gone = nil
                if let notice = file.notice { report(notice) }
                return Optional(file)
            case .failure(let refusal):
                obstacle = refusal.obstacle
                tell("nothing is remembered: \(refusal)", of: .read)
                self.opening = nil
                pausedUntil = .now + pause
                return nil
            }
        }
        self.opening = opening
        return opening
    }

    private func tell(_ message: String, of access: Access) {
        if told.updateValue(access, forKey: message) == nil { report(message) }
    }
}
