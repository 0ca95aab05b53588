import CProbeGnuTLS

/// Owns a `gnutls_x509_crt_t`, which is never changed after it was imported.
///
/// `@unchecked Sendable`: nothing here changes the certificate, and GnuTLS documents read-only use of one object from several
/// threads as safe (manual, "Thread safety").
@safe final class GnuTLSCertificate: @unchecked Sendable {
    let pointer: gnutls_x509_crt_t
    /// The certificate as it was imported.
    let der: [UInt8]

    /// Parses DER; the code is GnuTLS's reason for rejecting it.
    convenience init(der: [UInt8]) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_x509_crt_init(&$0) }
        let result = unsafe der.withDatum { unsafe gnutls_x509_crt_import(pointer, $0, GNUTLS_X509_FMT_DER) }
        guard result == 0 else {
            unsafe gnutls_x509_crt_deinit(pointer)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe self.init(takingOwnershipOf: pointer, der: der)
    }

    /// Takes over a certificate that GnuTLS made for the caller.
    convenience init(takingOwnershipOf pointer: gnutls_x509_crt_t) {
        unsafe self.init(takingOwnershipOf: pointer, der: Self.der(of: pointer))
    }

    private init(takingOwnershipOf pointer: gnutls_x509_crt_t, der: [UInt8]) {
        unsafe self.pointer = pointer
        self.der = der
    }

    deinit { unsafe gnutls_x509_crt_deinit(pointer) }

    /// Returns the DER of a certificate with another owner; empty if GnuTLS can't export it.
    static func der(of pointer: gnutls_x509_crt_t) -> [UInt8] {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_x509_crt_export2(pointer, GNUTLS_X509_FMT_DER, &datum) == 0 else { return [] }
        return unsafe Array(takingOwnershipOf: datum)
    }

    /// Returns true if names and key identifiers say that `issuer` issued this certificate; no signature is checked.
    func isIssued(by issuer: GnuTLSCertificate) -> Bool {
        unsafe gnutls_x509_crt_check_issuer(pointer, issuer.pointer) == 1
    }

    /// True if the certificate names itself as its issuer.
    var isSelfIssued: Bool { isIssued(by: self) }

    /// Returns true if the extended key usage, if present, allows the purpose.
    func allows(purpose: String) -> Bool {
        unsafe gnutls_x509_crt_check_key_purpose(pointer, purpose, 0) != 0
    }

    /// True if GnuTLS considers the algorithm of this certificate's own signature too weak for certificates.
    var hasWeakSignature: Bool {
        let algorithm = unsafe gnutls_x509_crt_get_signature_algorithm(pointer)
        guard algorithm > 0 else { return false }
        return gnutls_sign_is_secure2(
            gnutls_sign_algorithm_t(rawValue: UInt32(algorithm)), UInt32(GNUTLS_SIGN_FLAG_SECURE_FOR_CERTS)) == 0
    }

    /// True if GnuTLS gives the key less than the 112 bits of security that its profile MEDIUM requires; a key that it
    /// can't read has none.
    var hasWeakKey: Bool {
        var bits: UInt32 = 0
        let algorithm = unsafe gnutls_x509_crt_get_pk_algorithm(pointer, &bits)
        guard algorithm > 0 else { return true }
        let level = gnutls_pk_bits_to_sec_param(gnutls_pk_algorithm_t(rawValue: UInt32(algorithm)), bits)
        return level.rawValue < GNUTLS_SEC_PARAM_MEDIUM.rawValue
    }

    /// True if the key is larger than a signature under it may cost: GnuTLS computes with keys of any size.
    ///
    /// RSA is bounded as OpenSSL and BoringSSL bound it, DSA by the sizes of FIPS 186-4 with room to spare.
    var hasOversizedKey: Bool {
        var first = unsafe gnutls_datum_t()
        var second = unsafe gnutls_datum_t()
        if unsafe gnutls_x509_crt_get_pk_rsa_raw(pointer, &first, &second) == 0 {
            let (modulus, exponent) = unsafe (Array(takingOwnershipOf: first), Array(takingOwnershipOf: second))
            return modulus.significantBits > 16_384 || exponent.significantBits > 64
        }
        var others = unsafe (gnutls_datum_t(), gnutls_datum_t())
        if unsafe gnutls_x509_crt_get_pk_dsa_raw(pointer, &first, &second, &others.0, &others.1) == 0 {
            unsafe cprobe_gnutls_free(others.0.data)
            unsafe cprobe_gnutls_free(others.1.data)
            let (prime, order) = unsafe (Array(takingOwnershipOf: first), Array(takingOwnershipOf: second))
            return prime.significantBits > 16_384 || order.significantBits > 512
        }
        return false
    }

    /// True if it demands a stapled OCSP response (RFC 7633): the TLS feature status_request, 5.
    var demandsStaple: Bool {
        var features: gnutls_x509_tlsfeatures_t?
        guard unsafe gnutls_x509_tlsfeatures_init(&features) == 0, let features = unsafe features else { return false }
        defer { unsafe gnutls_x509_tlsfeatures_deinit(features) }
        guard unsafe gnutls_x509_crt_get_tlsfeatures(pointer, features, 0, nil) == 0 else { return false }
        var index: UInt32 = 0
        var feature: UInt32 = 0
        while unsafe gnutls_x509_tlsfeatures_get(features, index, &feature) == 0 {
            if feature == 5 { return true }
            index += 1
        }
        return false
    }

    /// Returns GnuTLS's verdict on this one certificate with `issuer` as the only anchor.
    func status(under issuer: GnuTLSCertificate, flags: UInt32) throws(GnuTLSErrorCode) -> GnuTLSStatus {
        var anchor: gnutls_x509_crt_t? = unsafe issuer.pointer
        var status: UInt32 = 0
        try unsafe GnuTLSErrorCode.check(gnutls_x509_crt_verify(pointer, &anchor, 1, flags, &status))
        return GnuTLSStatus(rawValue: status)
    }
}

extension Array<UInt8> {
    /// The bits of the big-endian number in these bytes, without zeros in front.
    var significantBits: Int {
        guard let index = firstIndex(where: { $0 != 0 }) else { return 0 }
        return (count - index) * 8 - self[index].leadingZeroBitCount
    }
}
