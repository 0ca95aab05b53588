import CProbeOpenSSL
package import ProbeKit

/// The facts of an `SSL`'s handshake, which they borrow: they are lent for a call, and can't be kept.
@safe package struct OpenSSLFacts: ~Copyable {
    private let ssl: OpaquePointer

    private init(_ ssl: OpaquePointer) {
        unsafe self.ssl = ssl
    }

    /// Lends the facts of an `SSL`, and returns what they are used for.
    package static func with<Value>(_ ssl: OpaquePointer, _ body: (borrowing OpenSSLFacts) -> Value) -> Value {
        body(unsafe OpenSSLFacts(ssl))
    }

    /// Writes the negotiated parameters, once there are any. The version, unless it is known, is that of the session until
    /// the handshake has completed: a record's header may replace the connection's (``version``).
    package func fill(_ report: inout HandshakeReport) {
        if unsafe SSL_is_init_finished(ssl) == 1 { report.version = version }
        report.clientCertificateIssuers = clientCertificateIssuers
        guard unsafe cipher != nil else { return }
        if report.version == nil { report.version = sessionVersion }
        report.cipherSuite = cipherSuite
        report.group = group
        report.signatureAlgorithm = signatureAlgorithm
        report.alpn = alpn
        report.ocspStaple = ocspStaple
        report.handshakeSCTs = handshakeSCTs
    }

    /// True if the message that is being read, or was when the handshake failed, is the server's certificate message.
    package var isReadingCertificates: Bool { unsafe SSL_get_state(ssl) == TLS_ST_CR_CERT }

    /// In TLS 1.2 the suite is only pending until the keys change.
    private var cipher: OpaquePointer? {
        let ssl = unsafe ssl
        return unsafe SSL_get_current_cipher(ssl) ?? SSL_get_pending_cipher(ssl)
    }

    /// The number of the server's certificates that OpenSSL parsed.
    var certificateCount: Int {
        guard let stack = unsafe SSL_get_peer_cert_chain(ssl) else { return 0 }
        return unsafe Int(cprobe_certificates_count(stack))
    }

    /// Returns the server's certificates that OpenSSL parsed, as it sent them; nil where they are of another number than the
    /// server's message has.
    func certificates(_ presented: OpenSSLPresentedChain) -> [OpenSSLCertificate]? {
        try? unsafe presented.certificates(parsed: SSL_get_peer_cert_chain(ssl))
    }

    /// The version as OpenSSL has it now. A record whose header names another one ends the handshake and replaces it, for the
    /// alert that is sent then; so it is to be read while messages still arrive.
    package var version: TLSVersion? { TLSVersion(wireValue: UInt16(truncatingIfNeeded: unsafe SSL_version(ssl))) }

    /// The version that the server's hello chose; only meaningful once it has chosen a cipher suite too.
    private var sessionVersion: TLSVersion? {
        guard let session = unsafe SSL_get_session(ssl) else { return nil }
        return TLSVersion(wireValue: UInt16(truncatingIfNeeded: unsafe SSL_SESSION_get_protocol_version(session)))
    }

    /// Returns true if the server sends a message of this type only after its hello, which is processed then. A request for a
    /// hello may come at any time, and is ignored while a client negotiates (RFC 5246 section 7.4.1.1).
    package static func comesAfterHello(_ type: CInt) -> Bool {
        type != SSL3_MT_SERVER_HELLO && type != SSL3_MT_HELLO_REQUEST
    }

    /// The issuers of client certificates that the server names, as DER.
    package var clientCertificateIssuers: [[UInt8]] {
        guard let names = unsafe SSL_get0_peer_CA_list(ssl) else { return [] }
        let count = min(unsafe cprobe_x509_names_count(names), CInt(HandshakeLimits.clientCertificateIssuers))
        return (0..<max(count, 0)).compactMap { index in
            guard let name = unsafe cprobe_x509_name_at(names, index) else { return nil }
            return unsafe OpenSSLEncoding.bytes { output in unsafe i2d_X509_NAME(name, output) }
        }
    }

    private var cipherSuite: String? {
        guard let cipher = unsafe cipher, let name = unsafe SSL_CIPHER_standard_name(cipher) else {
            return nil
        }
        return unsafe String(cString: name)
    }

    /// The group by its IANA name: OpenSSL has other names for three of them.
    private var group: String? {
        let nid = unsafe cprobe_ssl_group_nid(ssl)
        guard nid > 0, let name = unsafe OBJ_nid2sn(nid) else { return nil }
        return switch unsafe String(cString: name) {
        case "prime256v1": "secp256r1"
        case "prime192v1": "secp192r1"
        case let name: name.lowercased()
        }
    }

    /// True if the server gave a session ticket.
    var hasSessionTicket: Bool {
        guard let session = unsafe SSL_get_session(ssl) else { return false }
        return unsafe SSL_SESSION_has_ticket(session) == 1
    }

    /// The signature scheme by its IANA name: OpenSSL reports the kind of key and the digest.
    private var signatureAlgorithm: String? {
        let digest = unsafe cprobe_ssl_signature_digest(ssl)
        let bits =
            switch digest {
            case NID_sha1: 1
            case NID_sha224: 224
            case NID_sha256: 256
            case NID_sha384: 384
            case NID_sha512: 512
            default: 0
            }
        return switch unsafe cprobe_ssl_signature_type(ssl) {
        // Before TLS 1.2 the digest is a pair, MD5 and SHA-1.
        case _ where digest == NID_md5_sha1: nil
        case EVP_PKEY_RSA: bits == 0 ? nil : "rsa_pkcs1_sha\(bits)"
        case EVP_PKEY_RSA_PSS:
            unsafe cprobe_ssl_has_pss_key(ssl) == 1 ? "rsa_pss_pss_sha\(bits)" : "rsa_pss_rsae_sha\(bits)"
        case EVP_PKEY_EC:
            [
                1: "ecdsa_sha1", 224: "ecdsa_sha224", 256: "ecdsa_secp256r1_sha256", 384: "ecdsa_secp384r1_sha384",
                512: "ecdsa_secp521r1_sha512",
            ][bits]
        case EVP_PKEY_ED25519: "ed25519"
        case EVP_PKEY_ED448: "ed448"
        case EVP_PKEY_DSA: bits == 0 ? nil : "dsa_sha\(bits)"
        default: nil
        }
    }

    private var alpn: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name = unsafe name, length > 0 else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    private var ocspStaple: [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        let length = unsafe cprobe_ssl_ocsp_response(ssl, &bytes)
        guard length > 0, let bytes = unsafe bytes else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// SCTs of the TLS extension and the staple; those in the certificate are in its bytes.
    private var handshakeSCTs: [[UInt8]] {
        guard let scts = unsafe SSL_get0_peer_scts(ssl) else { return [] }
        let count = unsafe cprobe_scts_count(scts)
        return (0..<count).compactMap { index in
            guard let sct = unsafe cprobe_sct_at(scts, index),
                unsafe SCT_get_source(sct) != SCT_SOURCE_X509V3_EXTENSION
            else { return nil }
            return unsafe OpenSSLEncoding.bytes { output in unsafe i2o_SCT(sct, output) }
        }
    }
}
