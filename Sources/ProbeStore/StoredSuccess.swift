import GRDB
import ProbeKit
public import ProbePlatform
public import ProbeRun

/// A success as stored in the file: its kind, its time, and the time for which it is kept.
public struct StoredSuccess: Hashable, Sendable {
    /// The key of the check.
    public let key: CacheKey
    /// From when on it counts.
    public let instant: Date
    /// For how long.
    public let lifetime: CacheLifetime

    /// Returns true if it still counts.
    public func counts(at now: Date) -> Bool { lifetime.covers(instant, at: now) }

    /// Reads a row; nil if it has values that we would not write.
    init?(_ row: Row) {
        guard let kind = String.fromDatabaseValue(row["kind"]).flatMap(CacheKey.Kind.init),
            let key = Data.fromDatabaseValue(row["key"]), let digest = PinDigest(key),
            let instant = Date(milliseconds: row["instant"]),
            let lifetime = Int.fromDatabaseValue(row["lifetime"]).flatMap({ CacheLifetime($0) })
        else { return nil }
        self.key = CacheKey(kind: kind, digest: digest)
        self.instant = instant
        self.lifetime = lifetime
    }
}
