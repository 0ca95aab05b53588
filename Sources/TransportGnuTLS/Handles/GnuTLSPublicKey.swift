import CProbeGnuTLS

/// Owns a `gnutls_pubkey_t`.
@safe struct GnuTLSPublicKey: ~Copyable {
    private let pointer: gnutls_pubkey_t

    /// Reads the key out of a certificate.
    init(of certificate: GnuTLSCertificate) throws(GnuTLSErrorCode) {
        var pointer: gnutls_pubkey_t?
        try unsafe GnuTLSErrorCode.check(gnutls_pubkey_init(&pointer))
        guard let pointer = unsafe pointer else { throw GnuTLSErrorCode(rawValue: GNUTLS_E_MEMORY_ERROR) }
        let result = unsafe gnutls_pubkey_import_x509(pointer, certificate.pointer, 0)
        guard result == 0 else {
            unsafe gnutls_pubkey_deinit(pointer)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe gnutls_pubkey_deinit(pointer) }

    /// Returns the SubjectPublicKeyInfo as GnuTLS encodes the key, DER.
    func spki() throws(GnuTLSErrorCode) -> [UInt8] {
        var datum = unsafe gnutls_datum_t()
        try unsafe GnuTLSErrorCode.check(gnutls_pubkey_export2(pointer, GNUTLS_X509_FMT_DER, &datum))
        return unsafe Array(takingOwnershipOf: datum)
    }
}
