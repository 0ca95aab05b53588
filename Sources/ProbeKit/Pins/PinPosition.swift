/// The certificates of a chain that a pin may match.
public enum PinPosition: Hashable, Sendable, CustomStringConvertible {
    /// The leaf alone.
    case leaf
    /// Any but the leaf.
    case ca
    /// Any (requirement 57).
    case any
    /// The first so many, the leaf and a root counting (requirement 101, decided: first-n).
    case first(Int)

    /// The most certificates of a chain that are looked at.
    package static let deepest = 100

    /// Reads `leaf`, `ca`, `any` or `first-3`.
    public init?(_ text: String) {
        switch text {
        case "leaf": self = .leaf
        case "ca": self = .ca
        case "any": self = .any
        default:
            guard text.hasPrefix("first-"), let count = Int(decimal: text.dropFirst(6)),
                (1...Self.deepest).contains(count)
            else { return nil }
            self = .first(count)
        }
    }

    /// Returns true if the certificate at `index` may match, the leaf being 0.
    public func includes(index: Int) -> Bool {
        switch self {
        case .leaf: index == 0
        case .ca: index > 0
        case .any: true
        case .first(let count): index < count
        }
    }

    /// The position as written in a pin.
    public var description: String {
        switch self {
        case .leaf: "leaf"
        case .ca: "ca"
        case .any: "any"
        case .first(let count): "first-\(count)"
        }
    }
}

/// The chain that pins are looked for in; the two can differ (decided: presented-chain).
public enum PinChain: String, Hashable, Sendable, Codable, CaseIterable {
    /// The certificates as the server sent them.
    case presented
    /// The path from the leaf to an anchor that the reference verifier found, the anchor included.
    case validated
}

/// One pin: a digest, and the kind of data it is a digest of.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// The kind of data that was hashed.
    public let kind: PinKind
    /// The SHA-256 digest.
    public let digest: PinDigest

    /// Creates a pin.
    public init(kind: PinKind, digest: PinDigest) {
        self.kind = kind
        self.digest = digest
    }

    /// `kind:sha256:hex`, which `PinText` reads back.
    public var description: String { "\(kind.rawValue):sha256:\(digest.hex)" }
}

/// The data that a pin is the SHA-256 of. The three kinds are never interchangeable (decided: pin-kinds).
@nonexhaustive public enum PinKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The whole certificate, DER (requirement 2).
    case cert
    /// The SubjectPublicKeyInfo, DER (requirement 4).
    case spki
    /// The content of its BIT STRING: a PKCS#1 RSAPublicKey or an X9.63 point, as Apple exports keys (requirement 58).
    case rawkey

    /// The kind's display name.
    public var name: String {
        switch self {
        case .cert: "certificate"
        case .spki: "SPKI"
        case .rawkey: "raw key"
        }
    }
}
