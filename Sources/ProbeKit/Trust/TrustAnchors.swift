/// The certificates a verdict rests on and the revocation lists that come with them, with a name for people.
public struct TrustAnchors: Hashable, Sendable {
    /// The origin: a path, or `none`.
    public let name: String
    /// The anchors as DER, in the order of their source.
    public let certificates: [[UInt8]]
    /// The certificate revocation lists that came with them, as DER: certificates that they cover are judged by them
    /// (RFC 5280 section 6.3).
    public let revocationLists: [[UInt8]]
    /// True if they are the system's own, used by default.
    public let isSystem: Bool
    /// The root stores whose certificates these are, if each of several has to trust a chain; empty for a single store.
    package let stores: [TrustAnchors]
    /// The certificates and the revocation lists, then those of the stores, as sets: the order of their source does not matter.
    private let content: [Set<[UInt8]>]
    /// Hashed once: stores are long, and every connection looks theirs up.
    private let contentHash: Int

    /// Anchors from DER certificates.
    public init(
        name: String, certificates: [[UInt8]], revocationLists: [[UInt8]] = [], isSystem: Bool = false
    ) {
        self.init(
            name: name, certificates: certificates, revocationLists: revocationLists, isSystem: isSystem, stores: [])
    }

    /// The certificates of several root stores, each of which has to trust a chain by itself.
    package init(name: String, stores: [TrustAnchors]) {
        var seen: Set<[UInt8]> = []
        self.init(
            name: name, certificates: stores.flatMap(\.certificates).filter { seen.insert($0).inserted },
            revocationLists: stores.first?.revocationLists ?? [], isSystem: stores.allSatisfy(\.isSystem),
            stores: stores)
    }

    private init(
        name: String, certificates: [[UInt8]], revocationLists: [[UInt8]], isSystem: Bool, stores: [TrustAnchors]
    ) {
        self.name = name
        self.certificates = certificates
        self.revocationLists = revocationLists
        self.isSystem = isSystem
        self.stores = stores
        content = [Set(certificates), Set(revocationLists)] + stores.flatMap(\.content)
        contentHash = content.hashValue
    }

    /// Returns the same anchors with revocation lists.
    public func with(revocationLists: [[UInt8]]) -> TrustAnchors {
        TrustAnchors(
            name: name, certificates: certificates, revocationLists: revocationLists, isSystem: isSystem,
            stores: stores.map { $0.with(revocationLists: revocationLists) })
    }

    /// No anchors: nothing can be trusted.
    public static let none = TrustAnchors(name: "none", certificates: [])

    /// Returns true if both hold the same certificates and the same revocation lists, whatever they are named.
    public static func == (left: TrustAnchors, right: TrustAnchors) -> Bool {
        left.contentHash == right.contentHash && left.content == right.content
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(contentHash)
    }
}
