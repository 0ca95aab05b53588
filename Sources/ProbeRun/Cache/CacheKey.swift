public import ProbeKit
import ProbePins
public import ProbePlatform

/// The identity of a check for the cache: everything the verdict depended on, reduced to a digest, so that the cache
/// reveals none of it (requirement 24) and no other check is ever answered with it (decided: cache-keys).
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The kind of check.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A model on a list in DNS.
        case model
        /// One connection, with its pins.
        case pins
    }

    /// The kind of check.
    public let kind: Kind
    /// SHA-256 of all it depended on.
    public let digest: PinDigest

    /// Creates a key from the parts that a store keeps.
    public init(kind: Kind, digest: PinDigest) {
        self.kind = kind
        self.digest = digest
    }

    /// `kind:` and 64 hexadecimal digits.
    public var description: String { "\(kind.rawValue):\(digest.hex)" }

    /// Creates a key from fields and lists of fields. Each goes in with its length, so no two different sets have the
    /// same text.
    init(kind: Kind, _ fields: [[String]]) {
        var bytes: [UInt8] = []
        func append(_ count: Int) { bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        append(fields.count)
        for field in [[kind.rawValue]] + fields {
            append(field.count)
            for text in field {
                append(text.utf8.count)
                bytes += text.utf8
            }
        }
        self.init(kind: kind, digest: PinDigest.sha256(of: bytes))
    }
}

/// The time for which a success counts, defined here alone (decided: cache-lifetimes).
///
/// The TTL of a DNS answer neither shortens nor lengthens it: the shipped app of requirement 23 keeps the hour whatever
/// the TTL, so a record removed from the list is noticed within the hour even if its TTL was a minute or zero.
public struct CacheLifetime: Hashable, Sendable {
    /// The time from a success, in seconds; at its end the success no longer counts.
    public let seconds: Int

    /// A listed model counts for an hour (requirement 23).
    public static let model = CacheLifetime(seconds: 3600)
    /// A connection's verdict counts for ten minutes (requirement 8).
    public static let pins = CacheLifetime(seconds: 600)
    /// Nothing counts, so nothing is remembered.
    public static let never = CacheLifetime(seconds: 0)
    /// The longest that can be asked for: a week.
    public static let longest = CacheLifetime(seconds: 604_800)

    private init(seconds: Int) {
        self.seconds = seconds
    }

    /// Creates a lifetime from zero seconds to a week; nil for any other count.
    public init?(_ seconds: Int) {
        guard (0...Self.longest.seconds).contains(seconds) else { return nil }
        self.seconds = seconds
    }

    /// Returns true if a success at `stamp` still counts `now`. A stamp in the future does not: the clock was set back,
    /// or somebody wrote to the cache (requirement 33).
    public func covers(_ stamp: Date, at now: Date) -> Bool {
        let age = now.timeIntervalSince(stamp)
        return age >= 0 && age < TimeInterval(seconds)
    }
}
