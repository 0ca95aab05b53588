import CProbeGnuTLS
import ProbeKit

/// Sole owner of a client's certificates and private key as GnuTLS has them.
@safe final class GnuTLSIdentity {
    private let certificates: [GnuTLSCertificate]
    private let pointers: UnsafeMutableBufferPointer<gnutls_x509_crt_t?>
    private let key: gnutls_x509_privkey_t

    init(_ identity: ClientIdentity) throws(GnuTLSErrorCode) {
        var certificates: [GnuTLSCertificate] = []
        for der in identity.chain { certificates.append(try GnuTLSCertificate(der: der)) }
        var key: gnutls_x509_privkey_t?
        try unsafe GnuTLSErrorCode.check(gnutls_x509_privkey_init(&key))
        guard let key = unsafe key else { throw GnuTLSErrorCode(rawValue: GNUTLS_E_MEMORY_ERROR) }
        let result = identity.key.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                // GnuTLS has one datum type for input and output; as input it is not written to.
                var datum = unsafe gnutls_datum_t(
                    data: UnsafeMutablePointer(mutating: buffer.bindMemory(to: UInt8.self).baseAddress),
                    size: UInt32(buffer.count))
                return unsafe gnutls_x509_privkey_import_pkcs8(
                    key, &datum, GNUTLS_X509_FMT_DER, nil, UInt32(GNUTLS_PKCS_PLAIN.rawValue))
            }
        }
        guard result == 0 else {
            unsafe gnutls_x509_privkey_deinit(key)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe self.key = key
        self.certificates = certificates
        unsafe pointers = .allocate(capacity: certificates.count)
        _ = unsafe pointers.initialize(from: certificates.map(\.pointer))
    }

    deinit {
        unsafe pointers.deallocate()
        unsafe gnutls_x509_privkey_deinit(key)
    }

    /// Writes the identity into GnuTLS' answer, which borrows it.
    func show(in answer: UnsafeMutablePointer<gnutls_retr2_st>) {
        unsafe answer.pointee.key_type = GNUTLS_PRIVKEY_X509
        unsafe answer.pointee.ncerts = UInt32(pointers.count)
        unsafe answer.pointee.cert.x509 = pointers.baseAddress
        unsafe answer.pointee.key.x509 = key
    }
}
