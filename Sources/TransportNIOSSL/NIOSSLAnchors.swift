import ProbeKit
import Synchronization

/// Loaded certificate stores, one for each set of anchors: loading the system's takes longer than a handshake, so it
/// happens once per run and not once per target.
final class NIOSSLAnchors: Sendable {
    private let loaded = Mutex<[PinDigest: BoringSSLStore]>([:])
    private static let limit = 8

    func store(for anchors: TrustAnchors) throws(BoringSSLError) -> BoringSSLStore {
        if let store = loaded.withLock({ $0[anchors.digest] }) { return store }
        let store = try BoringSSLStore(anchors)
        loaded.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[anchors.digest] = store
        }
        return store
    }
}
