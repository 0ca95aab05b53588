public import FoundationEssentials
import GRDB
public import ProbeKit

/// One thing that is remembered, as far as the file tells: when, and of what kind.
public struct StoredEntry: Hashable, Sendable {
    /// What it is remembered of.
    public let key: CacheKey
    /// From when on it counts.
    public let instant: Date
    /// For how long; nil where that is for ever.
    public let lifetime: CacheLifetime?

    /// Whether it still counts.
    public func counts(at now: Date) -> Bool { lifetime?.covers(instant, at: now) ?? true }

    /// Reads a row; nil where it holds what we would not write.
    init?(_ row: Row) {
        guard let kind = String.fromDatabaseValue(row["kind"]).flatMap(CacheKey.Kind.init),
            let key = Data.fromDatabaseValue(row["key"]), let digest = PinDigest(key),
            let instant = Date(milliseconds: row["instant"])
        else { return nil }
        self.key = CacheKey(kind: kind, digest: digest)
        self.instant = instant
        lifetime = Int.fromDatabaseValue(row["lifetime"]).flatMap { CacheLifetime($0) }
    }
}
