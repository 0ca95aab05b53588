import CNIOBoringSSL
import ProbeLab

@testable import TransportNIOSSL

/// A BoringSSL server over memory, for messages that NIOSSL's servers can't send. Sole owner of its `SSL` and
/// `SSL_CTX`.
@safe final class MemoryServer {
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    /// A server that presents an identity, staples `staple`, and sends `timestamps`, a SignedCertificateTimestampList.
    init(_ identity: LabIdentity, staple: [UInt8], timestamps: [UInt8]) throws {
        guard let context = unsafe SSL_CTX_new(TLS_method()), let ssl = unsafe SSL_new(context),
            let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_mem())
        else { throw BoringSSLError.take("setting up a server") }
        unsafe (self.context, self.ssl, self.input, self.output) = unsafe (context, ssl, input, output)
        unsafe SSL_set_bio(ssl, input, output)
        unsafe SSL_set_accept_state(ssl)
        let pem = Array(identity.keyPEM.utf8)
        let text = unsafe BIO_new_mem_buf(pem, pem.count)
        let key = unsafe PEM_read_bio_PrivateKey(text, nil, nil, nil)
        unsafe BIO_free(text)
        defer { unsafe EVP_PKEY_free(key) }
        let chain = try identity.chain.map { try BoringSSLCertificate(der: $0) }
        guard unsafe SSL_use_certificate(ssl, chain[0].pointer) == 1, unsafe SSL_use_PrivateKey(ssl, key) == 1,
            unsafe SSL_set_ocsp_response(ssl, staple, staple.count) == 1,
            unsafe SSL_set_signed_cert_timestamp_list(ssl, timestamps, timestamps.count) == 1
        else { throw BoringSSLError.take("setting up a server") }
        for issuer in chain.dropFirst() { unsafe SSL_add1_chain_cert(ssl, issuer.pointer) }
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe SSL_CTX_free(context)
    }

    /// Takes bytes from the client, continues, and returns the bytes for it.
    func answer(_ bytes: [UInt8]) -> [UInt8] {
        unsafe BIO_write(input, bytes, CInt(bytes.count))
        unsafe SSL_do_handshake(ssl)
        var answer = [UInt8](repeating: 0, count: unsafe BIO_pending(output))
        unsafe BIO_read(output, &answer, CInt(answer.count))
        return answer
    }
}
