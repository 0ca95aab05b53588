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
