import CProbeGnuTLS

/// Owns a `gnutls_ocsp_resp_t`, which is never changed after it was imported.
@safe final class GnuTLSOCSPResponse {
    private let pointer: gnutls_ocsp_resp_t

    /// The response's first entry: its status and nextUpdate; nil for a missing one.
    struct Entry {
        let isRevoked: Bool
        let thisUpdate: time_t
        let nextUpdate: time_t?
    }

    /// Parses DER; the code is GnuTLS's reason for rejecting it.
    init(der: [UInt8]) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_ocsp_resp_init(&$0) }
        unsafe self.pointer = pointer
        let result = unsafe der.withDatum { unsafe gnutls_ocsp_resp_import(pointer, $0) }
        try GnuTLSErrorCode.check(result)
    }

    deinit { unsafe gnutls_ocsp_resp_deinit(pointer) }

    /// Returns true if its first entry is about a certificate.
    func isAbout(_ certificate: GnuTLSCertificate) -> Bool {
        unsafe gnutls_ocsp_resp_check_crt(pointer, 0, certificate.pointer) == 0
    }

    /// Returns true if it is signed by an anchor, or by a signer that an anchor delegated to.
    func isSigned(below list: GnuTLSTrustList, flags: UInt32) -> Bool {
        var status: UInt32 = 0
        return unsafe gnutls_ocsp_resp_verify(pointer, list.pointer, &status, flags) >= 0 && status == 0
    }

    /// Returns true if it is signed by a certificate, or by a signer that it delegated to.
    func isSigned(by issuer: GnuTLSCertificate, flags: UInt32) -> Bool {
        var status: UInt32 = 0
        return unsafe gnutls_ocsp_resp_verify_direct(pointer, issuer.pointer, &status, flags) >= 0 && status == 0
    }

    /// The first entry; nil if it can't be read.
    var entry: Entry? {
        var status: UInt32 = 0
        var (this, next, revoked) = (time_t(-1), time_t(-1), time_t(-1))
        let result = unsafe gnutls_ocsp_resp_get_single(
            pointer, 0, nil, nil, nil, nil, &status, &this, &next, &revoked, nil)
        guard result >= 0 else { return nil }
        return Entry(
            isRevoked: status == GNUTLS_OCSP_CERT_REVOKED.rawValue, thisUpdate: this,
            nextUpdate: next == -1 ? nil : next)
    }
}
