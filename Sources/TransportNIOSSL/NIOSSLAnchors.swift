import ProbeKit
import ProbePins

/// Loaded certificate stores, one for each set of anchors: loading the system's takes longer than a handshake, so it
/// happens once per run and not once per target.
final class NIOSSLAnchors: Sendable {
    private let loaded = BoundedMemory<PinDigest, BoringSSLStore>(limit: 8)

    func store(for anchors: TrustAnchors) throws(BoringSSLError) -> BoringSSLStore {
        try loaded.value(for: anchors.storeDigest) { () throws(BoringSSLError) in try BoringSSLStore(anchors) }
    }
}
