import CProbeGnuTLS
import ProbeKit

/// Sole owner of a client's certificates as GnuTLS has them, and of its private key if that is not in a token.
@safe final class GnuTLSIdentity {
    private let certificates: [GnuTLSCertificate]
    private let pointers: UnsafeMutableBufferPointer<gnutls_x509_crt_t?>
    private let key: Key

    private enum Key {
        case own(GnuTLSPrivateKey)
        case token(GnuTLSTokenKey)
    }

    init(_ identity: ClientIdentity) throws(GnuTLSErrorCode) {
        var certificates: [GnuTLSCertificate] = []
        for der in identity.chain { certificates.append(try GnuTLSCertificate(der: der)) }
        switch identity.key {
        case .pkcs8(let secret): key = .own(try GnuTLSPrivateKey(secret))
        case .token(let token as GnuTLSTokenKey): key = .token(token)
        default: throw GnuTLSErrorCode(rawValue: GNUTLS_E_UNSUPPORTED_CERTIFICATE_TYPE)
        }
        self.certificates = certificates
        unsafe pointers = .allocate(capacity: certificates.count)
        _ = unsafe pointers.initialize(from: certificates.map(\.pointer))
    }

    deinit { unsafe pointers.deallocate() }

    /// Writes the identity into GnuTLS' answer, which borrows it.
    func show(in answer: UnsafeMutablePointer<gnutls_retr2_st>) {
        unsafe answer.pointee.ncerts = UInt32(pointers.count)
        unsafe answer.pointee.cert.x509 = pointers.baseAddress
        switch key {
        case .own(let key):
            unsafe answer.pointee.key_type = GNUTLS_PRIVKEY_X509
            unsafe answer.pointee.key.x509 = key.pointer
        case .token(let key):
            unsafe answer.pointee.key_type = GNUTLS_PRIVKEY_PKCS11
            unsafe answer.pointee.key.pkcs11 = key.pointer
        }
    }
}

/// Owns a `gnutls_x509_privkey_t`.
@safe private final class GnuTLSPrivateKey {
    let pointer: gnutls_x509_privkey_t

    init(_ secret: Secret) throws(GnuTLSErrorCode) {
        let key = try unsafe GnuTLSErrorCode.made { unsafe gnutls_x509_privkey_init(&$0) }
        let result = secret.withBytes { bytes in
            unsafe bytes.withDatum { datum in
                unsafe gnutls_x509_privkey_import_pkcs8(
                    key, datum, GNUTLS_X509_FMT_DER, nil, UInt32(GNUTLS_PKCS_PLAIN.rawValue))
            }
        }
        guard result == 0 else {
            unsafe gnutls_x509_privkey_deinit(key)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe pointer = key
    }

    deinit { unsafe gnutls_x509_privkey_deinit(pointer) }
}
