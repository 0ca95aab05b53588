package import ProbeKit
import Synchronization

/// Loaded certificate stores, one for each set of anchors: loading the system's takes longer than a handshake, so it
/// happens once per run and not once per target.
package final class OpenSSLAnchors: Sendable {
    private let loaded = Mutex<[PinDigest: OpenSSLStore]>([:])
    private static let limit = 8

    package init() {}

    package func store(for anchors: TrustAnchors) throws(OpenSSLError) -> OpenSSLStore {
        if let store = loaded.withLock({ $0[anchors.digest] }) { return store }
        let store = try OpenSSLStore(anchors)
        loaded.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[anchors.digest] = store
        }
        return store
    }
}
