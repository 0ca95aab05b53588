import CProbeOpenSSL
import ProbeOpenSSL

/// Sole owner of a `CMS_ContentInfo`.
@safe struct OpenSSLCMS: ~Copyable {
    private let pointer: OpaquePointer

    /// Parses DER; bytes after the message are rejected.
    init(der: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clear()
        var consumed = 0
        let parsed = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            let message = unsafe d2i_CMS_ContentInfo(nil, &cursor, bytes.count)
            if let start = bytes.baseAddress, let end = unsafe cursor { consumed = unsafe end - start }
            return unsafe message
        }
        guard let parsed = unsafe parsed else { throw OpenSSLError.take("reading the message") }
        guard consumed == der.count else {
            unsafe CMS_ContentInfo_free(parsed)
            throw OpenSSLError(code: nil, message: "bytes follow the message", sslReason: nil)
        }
        unsafe pointer = parsed
    }

    deinit { unsafe CMS_ContentInfo_free(pointer) }

    /// Verifies every signature of the message over content, without changing line ends. The signers' certificates have
    /// to be in the message; their chains are not checked.
    func verify(over content: [UInt8]) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let length = CInt(exactly: content.count) else {
            throw OpenSSLError(code: nil, message: "the content is too large for OpenSSL", sslReason: nil)
        }
        let message = unsafe pointer
        let result = unsafe content.withUnsafeBufferPointer { bytes -> CInt in
            guard let input = unsafe BIO_new_mem_buf(bytes.baseAddress, length) else { return 0 }
            defer { unsafe BIO_free(input) }
            return unsafe CMS_verify(
                message, nil, nil, input, nil, UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY))
        }
        guard result == 1 else { throw OpenSSLError.take("CMS_verify") }
    }

    /// The signers' certificates, DER, once they were verified.
    var signers: [[UInt8]] {
        guard let stack = unsafe CMS_get0_signers(pointer) else { return [] }
        defer { unsafe cprobe_certificates_free(stack) }
        return (0..<(unsafe cprobe_certificates_count(stack))).compactMap { index in
            guard let certificate = unsafe cprobe_certificate_at(stack, index) else { return nil }
            return unsafe OpenSSLCertificate(sharing: certificate).der
        }
    }
}
