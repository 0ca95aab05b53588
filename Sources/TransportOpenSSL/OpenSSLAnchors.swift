package import ProbeKit
import ProbePins

/// Loaded certificate stores, one for each set of anchors: loading the system's takes longer than a handshake, so it
/// happens once per run and not once per target.
package final class OpenSSLAnchors: Sendable {
    private let loaded = BoundedMemory<PinDigest, OpenSSLStore>(limit: 8)

    package init() {}

    package func store(for anchors: TrustAnchors) throws(OpenSSLError) -> OpenSSLStore {
        try loaded.value(for: anchors.storeDigest) { () throws(OpenSSLError) in try OpenSSLStore(anchors) }
    }
}
