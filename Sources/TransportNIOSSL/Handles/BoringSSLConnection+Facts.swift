import CNIOBoringSSL
import ProbeKit
import ProbeNet

/// The facts of a handshake, as far as it went.
extension BoringSSLConnection {
    /// True if the server's hello has been processed, so that there are negotiated parameters.
    var hasNegotiated: Bool { unsafe SSL_get_current_cipher(ssl) != nil }

    /// The number of certificates the server sent, as far as BoringSSL took them.
    var certificateCount: Int { unsafe SSL_get0_peer_certificates(ssl).map { unsafe sk_CRYPTO_BUFFER_num($0) } ?? 0 }

    /// The certificates as the server sent them, as DER. If BoringSSL rejected the message, for example because it
    /// can't read the leaf's key, they are read from the message itself; of a malformed message none are shown.
    var chain: [[UInt8]] {
        guard let stack = unsafe SSL_get0_peer_certificates(ssl) else {
            return CertificateMessage.certificates(in: certificateMessage, hasExtensions: version == .tls13) ?? []
        }
        return (0..<certificateCount).compactMap { index in
            guard let buffer = unsafe sk_CRYPTO_BUFFER_value(stack, index) else { return nil }
            return unsafe Self.copy(CRYPTO_BUFFER_data(buffer), count: CRYPTO_BUFFER_len(buffer))
        }
    }

    var version: TLSVersion? { TLSVersion(wireValue: UInt16(truncatingIfNeeded: unsafe SSL_version(ssl))) }

    var cipherSuite: String? {
        guard let cipher = unsafe SSL_get_current_cipher(ssl), let name = unsafe SSL_CIPHER_standard_name(cipher) else {
            return nil
        }
        return unsafe String(cString: name)
    }

    /// The group by its IANA name; nil if the key exchange has none.
    var group: String? {
        let id = unsafe SSL_get_group_id(ssl)
        return switch CInt(id) {
        case SSL_GROUP_SECP256R1: "secp256r1"
        case SSL_GROUP_SECP384R1: "secp384r1"
        case SSL_GROUP_SECP521R1: "secp521r1"
        case SSL_GROUP_X25519: "x25519"
        default: unsafe SSL_get_group_name(id).map { unsafe String(cString: $0) }
        }
    }

    /// The server's signature scheme by its IANA name; nil if the key exchange has none.
    var signatureAlgorithm: String? {
        let scheme = unsafe SSL_get_peer_signature_algorithm(ssl)
        // Before TLS 1.2 it is a private number of BoringSSL's.
        guard scheme != 0, let version, version >= .tls12 else { return nil }
        return ClientOffer.Registry.signatureSchemes.name(of: scheme)
    }

    var alpn: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name = unsafe name, length > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    var ocspStaple: [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        var length = 0
        unsafe SSL_get0_ocsp_response(ssl, &bytes, &length)
        return unsafe length > 0 ? Self.copy(bytes, count: length) : nil
    }

    /// The SCTs of the TLS extension: BoringSSL looks for none in the staple.
    var handshakeSCTs: [[UInt8]] {
        var bytes: UnsafePointer<UInt8>?
        var length = 0
        unsafe SSL_get0_signed_cert_timestamp_list(ssl, &bytes, &length)
        return NIOSSLWire.timestamps(in: unsafe Self.copy(bytes, count: length) ?? [])
    }

    /// Copies bytes that BoringSSL owns; nil where it has none.
    static func copy(_ bytes: UnsafePointer<UInt8>?, count: Int) -> [UInt8]? {
        unsafe bytes.map { unsafe Array(UnsafeBufferPointer(start: $0, count: count)) }
    }
}
