package import ProbeKit

/// Anchors with their order, as the key of what is kept of them: of several with one name, a verifier that follows one path
/// takes one by its place, so that a set of them is not enough.
package struct OrderedStore: Hashable, Sendable {
    private let digest: PinDigest
    private let certificates: [[UInt8]]

    /// Creates the key of anchors and their revocation lists.
    package init(_ anchors: TrustAnchors) {
        digest = anchors.storeDigest
        // Shared with the anchors: comparing the same list again does not read it.
        certificates = anchors.certificates
    }

    /// Hashes the digest alone, which is kept: every connection looks its anchors up.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
    }
}
