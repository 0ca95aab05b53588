import GRDB
import ProbeKit
import ProbePlatform
import ProbeRun

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
