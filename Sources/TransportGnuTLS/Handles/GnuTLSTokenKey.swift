import CProbeGnuTLS
import ProbeKit

/// Owns a `gnutls_pkcs11_privkey_t`: a private key in a token, with the session in which the token is unlocked.
///
/// `@unchecked Sendable`: nothing here changes the key after it was opened, and GnuTLS holds the key's own lock while it
/// signs (`_gnutls_pkcs11_privkey_sign`).
@safe final class GnuTLSTokenKey: ClientIdentity.TokenKey, @unchecked Sendable {
    let uri: String
    let pointer: gnutls_pkcs11_privkey_t
    /// GnuTLS asks it for the PIN, also when the token wants it for a signature.
    private let pin: GnuTLSPIN

    /// Finds the key in its token, and unlocks that.
    init(_ uri: String, pin: GnuTLSPIN) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_pkcs11_privkey_init(&$0) }
        unsafe gnutls_pkcs11_privkey_set_pin_function(
            pointer, GnuTLSPIN.callback, Unmanaged.passUnretained(pin).toOpaque())
        let result = unsafe gnutls_pkcs11_privkey_import_url(pointer, uri, 0)
        guard result == 0 else {
            unsafe gnutls_pkcs11_privkey_deinit(pointer)
            throw GnuTLSErrorCode(rawValue: result)
        }
        unsafe self.pointer = pointer
        self.uri = uri
        self.pin = pin
    }

    deinit { unsafe gnutls_pkcs11_privkey_deinit(pointer) }

    /// Returns true if the certificate has the public half of this key. The token signs something to show it: many have no
    /// object to compare with.
    func belongs(to certificate: GnuTLSCertificate) throws(GnuTLSErrorCode) -> Bool {
        let key = try unsafe GnuTLSErrorCode.made { unsafe gnutls_privkey_init(&$0) }
        defer { unsafe gnutls_privkey_deinit(key) }
        try unsafe GnuTLSErrorCode.check(gnutls_privkey_import_pkcs11(key, pointer, 0))
        let publicKey = try GnuTLSPublicKey(of: certificate)
        guard unsafe CUnsignedInt(clamping: gnutls_privkey_get_pk_algorithm(key, nil)) == publicKey.algorithm.rawValue
        else { return false }
        let text = Array("a client's key".utf8)
        let hash = try publicKey.preferredHash()
        var signature = unsafe gnutls_datum_t()
        try unsafe GnuTLSErrorCode.check(
            text.withDatum { unsafe gnutls_privkey_sign_data(key, hash, 0, $0, &signature) })
        return unsafe publicKey.verifies(Array(takingOwnershipOf: signature), of: text, hash: hash)
    }
}
