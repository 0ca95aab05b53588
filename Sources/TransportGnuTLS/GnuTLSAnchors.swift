import ProbeKit
import Synchronization

/// The trust lists of the last few anchor sets, so that one run loads its anchors once.
final class GnuTLSAnchors: Sendable {
    private static let capacity = 4
    /// The most recently used set comes last.
    private let loaded = Mutex<[(digest: PinDigest, list: GnuTLSTrustList)]>([])

    /// The trust list of these anchors, loaded unless it is still there.
    func trustList(of anchors: TrustAnchors) throws(GnuTLSErrorCode) -> GnuTLSTrustList {
        if let list = recall(anchors.digest) { return list }
        // Loading a system's store takes milliseconds: the lock is not held meanwhile, and a second load does no harm.
        let list = try GnuTLSTrustList(anchors.certificates)
        loaded.withLock { entries in
            entries.removeAll { $0.digest == anchors.digest }
            if entries.count == Self.capacity { entries.removeFirst() }
            entries.append((anchors.digest, list))
        }
        return list
    }

    private func recall(_ digest: PinDigest) -> GnuTLSTrustList? {
        loaded.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.digest == digest }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.list
        }
    }
}
