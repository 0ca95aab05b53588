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
