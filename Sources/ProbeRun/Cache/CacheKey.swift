public import ProbeKit
import ProbePins

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
