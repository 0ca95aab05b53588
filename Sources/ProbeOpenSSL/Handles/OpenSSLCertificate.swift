import CProbeOpenSSL
package import ProbeKit

/// Sole owner of one reference to an `X509`.
///
/// `@unchecked Sendable`: nothing here changes the certificate; its reference count is atomic, and data cached on first
/// use is written under the certificate's own lock (openssl-threads(7), x509v3_cache_extensions).
@safe package final class OpenSSLCertificate: @unchecked Sendable {
    package let pointer: OpaquePointer
    /// The bytes that it was parsed from, where they are known.
    private let source: [UInt8]?

    /// Parses DER; bytes after the certificate are rejected.
    package init(der: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clear()
        var consumed = 0
        let parsed = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            let certificate = unsafe d2i_X509(nil, &cursor, bytes.count)
            if let start = bytes.baseAddress, let end = unsafe cursor { consumed = unsafe end - start }
            return unsafe certificate
        }
        guard let parsed = unsafe parsed else { throw OpenSSLError.take("reading the certificate") }
        guard consumed == der.count else {
            unsafe X509_free(parsed)
            throw OpenSSLError(code: nil, message: "bytes follow the certificate", sslReason: nil)
        }
        unsafe pointer = parsed
        source = der
    }

    /// Takes its own reference to a certificate with another owner.
    ///
    /// - Parameter bytes: the bytes that it was parsed from; nil where they are not known.
    package init(sharing certificate: OpaquePointer, presented bytes: [UInt8]? = nil) {
        unsafe X509_up_ref(certificate)
        unsafe pointer = certificate
        source = bytes
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// True if its issuer's name is not empty.
    package var hasIssuerName: Bool { unsafe X509_NAME_entry_count(X509_get_issuer_name(pointer)) > 0 }

    /// The bytes that it was parsed from, DER or not; OpenSSL's encoding where they are not known.
    package var der: [UInt8] { source ?? encoded }

    /// The certificate in OpenSSL's encoding. Only tbsCertificate has the bytes that were parsed, so that a certificate that
    /// is not DER becomes one that is.
    package var encoded: [UInt8] {
        let pointer = unsafe pointer
        return unsafe OpenSSLEncoding.bytes { output in unsafe i2d_X509(pointer, output) } ?? []
    }

    /// The key that OpenSSL would use, in the encoding it gives that key.
    ///
    /// OpenSSL looks its encoder up each time, which takes a tenth of a handshake. The encoder is not used if the bytes
    /// built from the key's values are those of the certificate: then it could not change the result.
    package var keyReading: KeyReading {
        OpenSSLError.clear()
        guard let key = unsafe X509_get0_pubkey(pointer) else {
            return .unreadable(OpenSSLError.take("reading the key").message)
        }
        if let common = commonSPKI { return .spki(common) }
        OpenSSLError.clear()
        guard let spki = unsafe OpenSSLEncoding.bytes({ output in unsafe i2d_PUBKEY(key, output) }) else {
            return .unreadable(OpenSSLError.take("encoding the key").message)
        }
        return .spki(spki)
    }

    /// The SubjectPublicKeyInfo built from the key's values, if the certificate's is the same.
    var commonSPKI: [UInt8]? {
        guard let key = unsafe X509_get0_pubkey(pointer), let common = unsafe OpenSSLCommonKey.spki(of: key) else {
            return nil
        }
        return common == presentedSPKI ? common : nil
    }

    /// The SubjectPublicKeyInfo as OpenSSL parsed it, with the key undecoded.
    private var presentedSPKI: [UInt8]? {
        let key = unsafe X509_get_X509_PUBKEY(pointer)
        return unsafe OpenSSLEncoding.bytes { output in unsafe i2d_X509_PUBKEY(key, output) }
    }
}

/// OpenSSL's `i2d` functions, which allocate their output: asking for the length first would encode twice.
enum OpenSSLEncoding {
    static func bytes(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    ) -> [UInt8]? {
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = unsafe encode(&encoded)
        guard length > 0, let encoded = unsafe encoded else { return nil }
        defer { unsafe cprobe_free(encoded) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    }
}
