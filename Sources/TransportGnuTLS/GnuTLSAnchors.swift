import ProbeKit
import ProbePins

/// Loaded trust lists, one for each set of anchors: loading the system's takes longer than a handshake, so it happens once
/// per run and not once per target.
final class GnuTLSAnchors: Sendable {
    private let loaded = BoundedMemory<PinDigest, GnuTLSTrustList>(limit: 8)

    func trustList(of anchors: TrustAnchors) throws(GnuTLSErrorCode) -> GnuTLSTrustList {
        try loaded.value(for: anchors.storeDigest) { () throws(GnuTLSErrorCode) in
            try GnuTLSTrustList(anchors.certificates, revocationLists: anchors.revocationLists)
        }
    }
}
