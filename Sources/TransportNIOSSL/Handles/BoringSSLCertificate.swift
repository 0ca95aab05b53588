import CNIOBoringSSL
import ProbeKit

/// Sole owner of one reference to an `X509`.
///
/// `@unchecked Sendable`: nothing here changes the certificate; its reference count is atomic, and data cached on first
/// use is written under the certificate's own lock (x509v3_cache_extensions).
@safe final class BoringSSLCertificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Parses DER; bytes after the certificate are rejected.
    init(der: [UInt8]) throws(BoringSSLError) {
        BoringSSLError.clear()
        // Parsing from a buffer rejects trailing bytes, like the handshake itself.
        guard let buffer = unsafe CRYPTO_BUFFER_new(der, der.count, nil) else {
            throw BoringSSLError.take("CRYPTO_BUFFER_new")
        }
        let certificate = unsafe X509_parse_from_buffer(buffer)
        unsafe CRYPTO_BUFFER_free(buffer)
        guard let certificate = unsafe certificate else { throw BoringSSLError.take("reading the certificate") }
        unsafe pointer = certificate
    }

    /// Takes its own reference to a certificate with another owner.
    init(sharing certificate: OpaquePointer) {
        unsafe X509_up_ref(certificate)
        unsafe pointer = certificate
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// The certificate's bytes as they were parsed: BoringSSL keeps them.
    var der: [UInt8] {
        let pointer = unsafe pointer
        return unsafe BoringSSLEncoding.bytes { output in unsafe i2d_X509(pointer, output) } ?? []
    }

    /// True if its own key signed it.
    var isSelfSigned: Bool {
        guard unsafe X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer)) == 0,
            let key = unsafe X509_get0_pubkey(pointer)
        else { return false }
        return unsafe X509_verify(pointer, key) == 1
    }

    /// Returns the key that BoringSSL would use, in the encoding it gives that key.
    func spki() throws(BoringSSLError) -> [UInt8] {
        BoringSSLError.clear()
        guard let key = unsafe X509_get0_pubkey(pointer) else { throw BoringSSLError.take("reading the key") }
        guard let spki = unsafe BoringSSLEncoding.bytes({ output in unsafe i2d_PUBKEY(key, output) }) else {
            throw BoringSSLError.take("encoding the key")
        }
        return spki
    }
}

/// BoringSSL's `i2d` functions, which allocate their output: asking for the length first would encode twice.
enum BoringSSLEncoding {
    static func bytes(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    ) -> [UInt8]? {
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = unsafe encode(&encoded)
        guard length > 0, let encoded = unsafe encoded else { return nil }
        defer { unsafe OPENSSL_free(encoded) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    }
}
