import CNIOBoringSSL
import ProbeKit

/// A client's certificates and private key as BoringSSL takes them.
enum BoringSSLIdentity {
    /// Has one connection show the identity to a server that asks; BoringSSL takes references of its own.
    static func attach(_ identity: ClientIdentity, to ssl: OpaquePointer) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard case .pkcs8(let secret) = identity.key else {
            throw BoringSSLError(code: nil, message: "its key is in a token", sslReason: nil)
        }
        let parsed = unsafe secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer -> OpaquePointer? in
                var input = unsafe CBS()
                unsafe CBS_init(&input, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count)
                return unsafe EVP_parse_private_key(&input)
            }
        }
        guard let key = unsafe parsed else { throw BoringSSLError.take("reading the private key") }
        defer { unsafe EVP_PKEY_free(key) }
        let buffers = unsafe identity.chain.map { unsafe CRYPTO_BUFFER_new($0, $0.count, nil) }
        defer { unsafe buffers.forEach { unsafe CRYPTO_BUFFER_free($0) } }
        guard unsafe SSL_set_chain_and_key(ssl, buffers, buffers.count, key, nil) == 1 else {
            throw BoringSSLError.take("setting the client certificate")
        }
    }
}
