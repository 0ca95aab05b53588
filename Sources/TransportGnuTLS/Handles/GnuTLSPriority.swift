import CProbeGnuTLS
import ProbeKit

/// Owns a `gnutls_priority_t`, the algorithms that a session offers.
///
/// Sessions share it: GnuTLS reads a string anew, and keeps 8 KiB, for each session that is given one.
///
/// `@unchecked Sendable`: nothing changes it after `init`, sessions of several threads may read it, and GnuTLS counts them.
@safe final class GnuTLSPriority: @unchecked Sendable {
    let pointer: gnutls_priority_t

    /// Reads a priority string.
    init(_ words: String) throws(GnuTLSErrorCode) {
        var pointer: gnutls_priority_t?
        try unsafe GnuTLSErrorCode.check(gnutls_priority_init(&pointer, words, nil))
        guard let pointer = unsafe pointer else { throw GnuTLSErrorCode(rawValue: GNUTLS_E_MEMORY_ERROR) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe gnutls_priority_deinit(pointer) }

    /// Those in use: a string for each range of versions and each offer.
    private static let known = BoundedMemory<String, GnuTLSPriority>(limit: 64)

    /// Returns the one of a priority string.
    static func of(_ words: String) throws(GnuTLSErrorCode) -> GnuTLSPriority {
        try known.value(for: words) { () throws(GnuTLSErrorCode) in try GnuTLSPriority(words) }
    }
}
