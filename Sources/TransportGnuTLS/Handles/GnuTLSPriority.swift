import CProbeGnuTLS
import ProbeKit

/// Owns a `gnutls_priority_t`, the algorithms that sessions offer.
///
/// Sessions share it: GnuTLS reads a string anew, and keeps 8 KiB, for each session that is given one.
///
/// `@unchecked Sendable`: nothing but GnuTLS's own count of users changes after `init`. That count allows several sessions to release
/// it at once, but not its owner beside them: each session holds this object until after `gnutls_deinit`.
@safe final class GnuTLSPriority: @unchecked Sendable {
    let pointer: gnutls_priority_t

    /// Reads a priority string.
    init(_ words: String) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_priority_init(&$0, words, nil) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe gnutls_priority_deinit(pointer) }

    /// The priorities by their strings: one for each range of versions and each offer.
    private static let known = BoundedMemory<String, GnuTLSPriority>(limit: 64)

    /// Returns the shared priorities for a string.
    static func of(_ words: String) throws(GnuTLSErrorCode) -> GnuTLSPriority {
        try known.value(for: words) { () throws(GnuTLSErrorCode) in try GnuTLSPriority(words) }
    }
}
