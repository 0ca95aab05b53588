import CNIOBoringSSL
package import ProbeKit

/// One connection of a TLS server in memory, over the BoringSSL inside NIOSSL, which shows neither of the two settings that
/// this is for: a staple, and timestamps. Sole owner of its `SSL`, which owns the rest.
@safe package final class LabMemoryServer {
    /// The consequences of bytes that the client sent.
    package struct Answer {
        /// The bytes for the client.
        package fileprivate(set) var sent: [UInt8] = []
        /// The bytes that the client sent inside TLS.
        package fileprivate(set) var received: [UInt8] = []
        /// True if the connection failed, or the client closed it.
        package fileprivate(set) var isOver = false
    }

    private let ssl: OpaquePointer

    /// A server that presents an identity, staples `staple`, and sends `timestamps`.
    ///
    /// - Throws: ``LabError`` if BoringSSL rejects one of them.
    package init(
        _ identity: LabIdentity, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, staple: [UInt8]?,
        timestamps: [[UInt8]]
    ) throws {
        let context = unsafe SSL_CTX_new(TLS_method())
        defer { unsafe SSL_CTX_free(context) }
        guard let ssl = unsafe SSL_new(context) else { throw LabError.cannotServe("BoringSSL has no memory for it") }
        unsafe self.ssl = ssl
        unsafe SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
        unsafe SSL_set_accept_state(ssl)
        var results = [
            unsafe SSL_set_min_proto_version(ssl, versions.lowerBound.wireValue),
            unsafe SSL_set_max_proto_version(ssl, versions.upperBound.wireValue),
            present(identity),
        ]
        if let staple { results.append(unsafe SSL_set_ocsp_response(ssl, staple, staple.count)) }
        if !timestamps.isEmpty {
            let list = Self.prefixed(timestamps.flatMap(Self.prefixed))
            results.append(unsafe SSL_set_signed_cert_timestamp_list(ssl, list, list.count))
        }
        guard results.allSatisfy({ $0 == 1 }) else {
            ERR_clear_error()
            throw LabError.cannotServe("BoringSSL rejects its certificates, its key, its staple or its timestamps")
        }
    }

    deinit {
        unsafe SSL_free(ssl)
    }

    /// Takes bytes of the client, and continues.
    package func take(_ bytes: [UInt8]) -> Answer {
        ERR_clear_error()
        unsafe BIO_write(SSL_get_rbio(ssl), bytes, CInt(clamping: bytes.count))
        var answer = Answer()
        var record = [UInt8](repeating: 0, count: Int(SSL3_RT_MAX_PLAIN_LENGTH))
        // Reading does what is left of the handshake first.
        var count = unsafe SSL_read(ssl, &record, SSL3_RT_MAX_PLAIN_LENGTH)
        while count > 0 {
            answer.received += record.prefix(Int(count))
            count = unsafe SSL_read(ssl, &record, SSL3_RT_MAX_PLAIN_LENGTH)
        }
        answer.isOver = unsafe SSL_get_error(ssl, count) != SSL_ERROR_WANT_READ
        let output = unsafe SSL_get_wbio(ssl)
        var sent = [UInt8](repeating: 0, count: unsafe BIO_pending(output))
        unsafe BIO_read(output, &sent, CInt(clamping: sent.count))
        answer.sent = sent
        return answer
    }

    /// Returns BoringSSL's result, which is 1 if it accepts the certificates and the key.
    private func present(_ identity: LabIdentity) -> CInt {
        let certificates = unsafe identity.chain.map { unsafe CRYPTO_BUFFER_new($0, $0.count, nil) }
        defer { unsafe certificates.forEach { unsafe CRYPTO_BUFFER_free($0) } }
        let pem = Array(identity.keyPEM.utf8)
        let key = unsafe pem.withUnsafeBytes { bytes in
            let text = unsafe BIO_new_mem_buf(bytes.baseAddress, bytes.count)
            defer { unsafe BIO_free(text) }
            return unsafe PEM_read_bio_PrivateKey(text, nil, nil, nil)
        }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe SSL_set_chain_and_key(ssl, certificates, certificates.count, key, nil)
    }

    /// Returns the bytes after their number, as lists of TLS have it.
    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
