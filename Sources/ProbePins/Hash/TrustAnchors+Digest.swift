public import ProbeKit

extension TrustAnchors {
    private struct Digests {
        let certificates: PinDigest
        let store: PinDigest

        init(_ anchors: TrustAnchors) {
            let digests = Set(anchors.certificates.map { PinDigest.sha256(of: $0).hex }).sorted()
            certificates = PinDigest.sha256(of: digests.joined().utf8)
            let lists = Set(anchors.revocationLists.map { PinDigest.sha256(of: $0).hex }).sorted()
            store =
                lists.isEmpty
                ? certificates : PinDigest.sha256(of: ([certificates.hex] + lists).joined().utf8)
        }
    }

    /// Every result names its anchors by their digest, and there are few sets of them.
    private static let known = BoundedMemory<TrustAnchors, Digests>(limit: 32)

    private var digests: Digests { Self.known.value(for: self) { Digests(self) } }

    /// SHA-256 over the certificates' own SHA-256 digests in ascending order: the same set has the same digest, whatever
    /// its order.
    public var digest: PinDigest { digests.certificates }

    /// The same over certificates and revocation lists. Without lists it is ``digest``.
    public var storeDigest: PinDigest { digests.store }
}
