import GRDB
import ProbeKit
import ProbePins
public import ProbePlatform
public import ProbeRun

/// All contents of a store's file.
public struct StoredContents: Hashable, Sendable {
    /// The successes, the latest first.
    public let successes: [StoredSuccess]
    /// The number of baselines.
    public let baselines: Int
}

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

// The forms of values in the file. Values read from it are never trusted.

extension Date {
    /// Whole milliseconds since 1970, rounded down: a value read back is never later than the written one.
    var milliseconds: Int64? { Int64(exactly: (timeIntervalSince1970 * 1000).rounded(.down)) }

    init?(milliseconds value: DatabaseValue) {
        guard let milliseconds = Int64.fromDatabaseValue(value) else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension CacheKey {
    var arguments: StatementArguments { [kind.rawValue, Data(digest.bytes)] }
}

extension Baseline {
    /// Leaf, keys and pins, each as digests one after another.
    var columns: [Data] { [[leaf], keys, pins].map { Data($0.flatMap(\.bytes)) } }

    init?(_ row: Row) {
        guard let leaf = Self.digests(row["leaf"])?.first, let keys = Self.digests(row["keys"]), !keys.isEmpty,
            let pins = Self.digests(row["pins"])
        else { return nil }
        self.init(leaf: leaf, keys: keys, pins: pins)
    }

    private static func digests(_ value: DatabaseValue) -> [PinDigest]? {
        guard let bytes = Data.fromDatabaseValue(value).map([UInt8].init), bytes.count.isMultiple(of: 32) else {
            return nil
        }
        return stride(from: 0, to: bytes.count, by: 32).compactMap { PinDigest(bytes[$0..<$0 + 32]) }
    }
}
