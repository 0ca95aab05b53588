/// The trusted certificates and the revocation lists that come with them, named and hashed so that a report can
/// identify them.
public struct TrustAnchors: Hashable, Sendable {
    /// The origin: a path, or `none`.
    public let name: String
    /// The anchors as DER, in the order of their source.
    public let certificates: [[UInt8]]
    /// The certificate revocation lists that came with them, as DER: certificates that they cover are judged by them
    /// (RFC 5280 section 6.3).
    public let revocationLists: [[UInt8]]
    /// SHA-256 over the certificates' own SHA-256 digests in ascending order: the same set has the same digest, whatever
    /// its order.
    public let digest: PinDigest
    /// The same over certificates and revocation lists: backends key their loaded stores by it. Without lists it is
    /// ``digest``.
    public let storeDigest: PinDigest
    /// True if they are the system's own, used by default.
    public let isSystem: Bool

    /// Anchors from DER certificates.
    public init(
        name: String, certificates: [[UInt8]], revocationLists: [[UInt8]] = [], isSystem: Bool = false
    ) {
        self.name = name
        self.certificates = certificates
        self.revocationLists = revocationLists
        self.isSystem = isSystem
        let digests = Set(certificates.map { PinDigest.sha256(of: $0).hex }).sorted()
        digest = PinDigest.sha256(of: Array(digests.joined().utf8))
        let lists = Set(revocationLists.map { PinDigest.sha256(of: $0).hex }).sorted()
        storeDigest = lists.isEmpty ? digest : PinDigest.sha256(of: Array(([digest.hex] + lists).joined().utf8))
    }

    /// Returns the same anchors with revocation lists.
    public func with(revocationLists: [[UInt8]]) -> TrustAnchors {
        TrustAnchors(
            name: name, certificates: certificates, revocationLists: revocationLists, isSystem: isSystem)
    }

    /// No anchors: nothing can be trusted.
    public static let none = TrustAnchors(name: "none", certificates: [])

    /// Returns true if the digests are equal.
    public static func == (left: TrustAnchors, right: TrustAnchors) -> Bool { left.storeDigest == right.storeDigest }

    /// Hashes the digest alone, as equality does.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storeDigest)
    }
}
