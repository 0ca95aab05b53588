import CProbeGnuTLS
import ProbeKit

/// The facts of a handshake, as far as it went.
extension GnuTLSSession {
    /// The protocol version of the server hello.
    var version: TLSVersion? {
        switch unsafe gnutls_protocol_get_version(pointer) {
        case GNUTLS_TLS1_0: .tls10
        case GNUTLS_TLS1_1: .tls11
        case GNUTLS_TLS1_2: .tls12
        case GNUTLS_TLS1_3: .tls13
        default: nil
        }
    }

    /// The cipher suite by its IANA name.
    var cipherSuite: String? {
        unsafe gnutls_ciphersuite_get(pointer).map { unsafe String(cString: $0) }
    }

    /// The key exchange group as GnuTLS spells it; nil if the key exchange has none.
    var group: String? {
        unsafe gnutls_group_get_name(gnutls_group_get(pointer)).map { unsafe String(cString: $0) }
    }

    /// The server's signature algorithm as GnuTLS spells it; nil if the key exchange has none.
    var signature: String? {
        let algorithm = unsafe gnutls_sign_algorithm_t(rawValue: UInt32(max(0, gnutls_sign_algorithm_get(pointer))))
        return unsafe gnutls_sign_get_name(algorithm).map { unsafe String(cString: $0) }
    }

    /// True if the server gave a session ticket.
    var hasTicket: Bool {
        unsafe gnutls_session_get_flags(pointer) & UInt32(GNUTLS_SFLAGS_SESSION_TICKET.rawValue) != 0
    }

    /// The chosen application protocol.
    var alpn: String? {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_alpn_get_selected_protocol(pointer, &datum) == 0 else { return nil }
        return unsafe String(decoding: Array(copying: datum), as: UTF8.self)
    }

    /// The stapled OCSP response for the leaf.
    var ocspStaple: [UInt8]? {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_ocsp_status_request_get(pointer, &datum) == 0 else { return nil }
        return unsafe Array(copying: datum)
    }

    /// True if the server asked for a client certificate.
    var clientCertificateRequested: Bool { unsafe gnutls_certificate_client_get_request_status(pointer) != 0 }

    /// The number of certificates the server sent.
    var chainCount: Int {
        var count: UInt32 = 0
        guard unsafe gnutls_certificate_get_peers(pointer, &count) != nil else { return 0 }
        return Int(count)
    }

    /// The certificates as the server sent them, DER.
    var chain: [[UInt8]] {
        var count: UInt32 = 0
        guard let first = unsafe gnutls_certificate_get_peers(pointer, &count) else { return [] }
        return unsafe UnsafeBufferPointer(start: first, count: Int(count)).map { unsafe Array(copying: $0) }
    }
}
