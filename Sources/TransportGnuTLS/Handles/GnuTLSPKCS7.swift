import CProbeGnuTLS

/// Sole owner of a `gnutls_pkcs7_t`.
@safe struct GnuTLSPKCS7: ~Copyable {
    private let pointer: gnutls_pkcs7_t

    /// Parses DER.
    init(der: [UInt8]) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_pkcs7_init(&$0) }
        let result = unsafe der.withDatum { unsafe gnutls_pkcs7_import(pointer, $0, GNUTLS_X509_FMT_DER) }
        guard result == 0 else {
            unsafe gnutls_pkcs7_deinit(pointer)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe gnutls_pkcs7_deinit(pointer) }

    /// The number of signatures in the message.
    var signatureCount: Int { Int(max(0, unsafe gnutls_pkcs7_get_signature_count(pointer))) }

    /// Returns the first signature's identification of its certificate.
    func signerName() throws(GnuTLSErrorCode) -> GnuTLSSignerName {
        var info = unsafe gnutls_pkcs7_signature_info_st()
        try unsafe GnuTLSErrorCode.check(gnutls_pkcs7_get_signature_info(pointer, 0, &info))
        defer { unsafe gnutls_pkcs7_signature_info_deinit(&info) }
        return unsafe GnuTLSSignerName(
            issuer: Array(copying: info.issuer_dn), serial: Array(copying: info.signer_serial),
            keyIdentifier: Array(copying: info.issuer_keyid))
    }

    /// The certificates of the message that can be read.
    var certificates: [GnuTLSCertificate] {
        (0..<max(0, unsafe gnutls_pkcs7_get_crt_count(pointer))).compactMap { index in
            var datum = unsafe gnutls_datum_t()
            guard unsafe gnutls_pkcs7_get_crt_raw2(pointer, UInt32(index), &datum) == 0 else { return nil }
            return try? GnuTLSCertificate(der: unsafe Array(takingOwnershipOf: datum))
        }
    }

    /// Verifies the first signature over content, which is not empty, with the key of a certificate, whose chain is not
    /// checked. For empty content GnuTLS would take the message's own.
    func verify(over content: [UInt8], with certificate: GnuTLSCertificate) throws(GnuTLSErrorCode) {
        let result = unsafe content.withDatum { datum in
            // The certificate's times are judged with its chain; here GnuTLS would go by the process's clock.
            return unsafe gnutls_pkcs7_verify_direct(
                pointer, certificate.pointer, 0, datum,
                GNUTLS_VERIFY_DISABLE_TIME_CHECKS.rawValue | GNUTLS_VERIFY_DISABLE_TRUSTED_TIME_CHECKS.rawValue)
        }
        try GnuTLSErrorCode.check(result)
    }
}

/// A signature's identification of its certificate: by issuer and serial number, or by key identifier; missing fields
/// are empty.
struct GnuTLSSignerName {
    let issuer: [UInt8]
    let serial: [UInt8]
    let keyIdentifier: [UInt8]
}

extension GnuTLSCertificate {
    /// Returns true if a signature identifies this certificate.
    func isNamed(by name: GnuTLSSignerName) -> Bool {
        if !name.keyIdentifier.isEmpty { return subjectKeyIdentifier == name.keyIdentifier }
        guard !name.serial.isEmpty, !name.issuer.isEmpty else { return false }
        return serial == name.serial && issuer == name.issuer
    }

    private var issuer: [UInt8]? {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_x509_crt_get_raw_issuer_dn(pointer, &datum) == 0 else { return nil }
        return unsafe Array(takingOwnershipOf: datum)
    }

    private var serial: [UInt8]? {
        unsafe bytes { bytes, count in unsafe gnutls_x509_crt_get_serial(pointer, bytes, count) }
    }

    private var subjectKeyIdentifier: [UInt8]? {
        unsafe bytes { bytes, count in unsafe gnutls_x509_crt_get_subject_key_id(pointer, bytes, count, nil) }
    }

    /// Returns a field that GnuTLS writes into a buffer of the caller's; nil if it is not there, or longer than any
    /// identifier is.
    private func bytes(_ get: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> CInt) -> [UInt8]? {
        var count = 256
        var buffer = [UInt8](repeating: 0, count: count)
        let result = unsafe buffer.withUnsafeMutableBytes { unsafe get($0.baseAddress, &count) }
        return result == 0 && count <= buffer.count ? Array(buffer.prefix(count)) : nil
    }
}
