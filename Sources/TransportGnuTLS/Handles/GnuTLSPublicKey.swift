import CProbeGnuTLS

/// Owns a `gnutls_pubkey_t`.
@safe struct GnuTLSPublicKey: ~Copyable {
    private let pointer: gnutls_pubkey_t

    /// Reads the key out of a certificate.
    init(of certificate: GnuTLSCertificate) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_pubkey_init(&$0) }
        let result = unsafe gnutls_pubkey_import_x509(pointer, certificate.pointer, 0)
        guard result == 0 else {
            unsafe gnutls_pubkey_deinit(pointer)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe gnutls_pubkey_deinit(pointer) }

    /// The key's algorithm.
    var algorithm: gnutls_pk_algorithm_t {
        unsafe gnutls_pk_algorithm_t(rawValue: UInt32(max(0, gnutls_pubkey_get_pk_algorithm(pointer, nil))))
    }

    /// Returns the hash that signatures with this key are usually made with.
    func preferredHash() throws(GnuTLSErrorCode) -> gnutls_digest_algorithm_t {
        var hash = GNUTLS_DIG_UNKNOWN
        try unsafe GnuTLSErrorCode.check(gnutls_pubkey_get_preferred_hash_algorithm(pointer, &hash, nil))
        return hash
    }

    /// Returns true if the signature of `bytes` is this key's.
    func verifies(_ signature: [UInt8], of bytes: [UInt8], hash: gnutls_digest_algorithm_t) -> Bool {
        unsafe bytes.withDatum { bytes in
            unsafe signature.withDatum { signature in
                unsafe gnutls_pubkey_verify_data2(pointer, gnutls_pk_to_sign(algorithm, hash), 0, bytes, signature) >= 0
            }
        }
    }

    /// Returns the SubjectPublicKeyInfo as GnuTLS encodes the key, DER.
    func spki() throws(GnuTLSErrorCode) -> [UInt8] {
        var datum = unsafe gnutls_datum_t()
        try unsafe GnuTLSErrorCode.check(gnutls_pubkey_export2(pointer, GNUTLS_X509_FMT_DER, &datum))
        return unsafe Array(takingOwnershipOf: datum)
    }
}
