import CProbeGnuTLS

/// Owns `gnutls_certificate_credentials_t` without certificates: the client that shows none and verifies nothing.
@safe final class GnuTLSCredentials {
    let pointer: gnutls_certificate_credentials_t

    init() throws(GnuTLSErrorCode) {
        var pointer: gnutls_certificate_credentials_t?
        try unsafe GnuTLSErrorCode.check(gnutls_certificate_allocate_credentials(&pointer))
        guard let pointer = unsafe pointer else { throw GnuTLSErrorCode(rawValue: GNUTLS_E_MEMORY_ERROR) }
        unsafe self.pointer = pointer
    }

    deinit { unsafe gnutls_certificate_free_credentials(pointer) }
}
