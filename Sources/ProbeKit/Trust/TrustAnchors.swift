/// The certificates a verdict rests on, named and hashed so that a report can say which they were.
public struct TrustAnchors: Hashable, Sendable {
    /// Where they came from: a path, or `none`.
    public let name: String
    /// The anchors as DER, in the order of their source.
    public let certificates: [[UInt8]]
    /// SHA-256 over the certificates' own SHA-256 digests in ascending order: the same set has the same digest, whatever
    /// its order. Backends key their loaded stores by it.
    public let digest: PinDigest
    /// Whether they are those that the system ships, and nobody named them.
    public let isSystem: Bool

    /// Anchors from DER certificates.
    public init(name: String, certificates: [[UInt8]], isSystem: Bool = false) {
        self.name = name
        self.certificates = certificates
        self.isSystem = isSystem
        let digests = Set(certificates.map { PinDigest.sha256(of: $0).hex }).sorted()
        digest = PinDigest.sha256(of: Array(digests.joined().utf8))
    }

    /// No anchors: nothing can be trusted.
    public static let none = TrustAnchors(name: "none", certificates: [])

    /// Two sets are the same when their digests are.
    public static func == (left: TrustAnchors, right: TrustAnchors) -> Bool { left.digest == right.digest }

    /// Hashes the digest alone, as equality does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }
}
