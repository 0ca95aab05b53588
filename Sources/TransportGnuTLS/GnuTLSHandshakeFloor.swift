import CProbeGnuTLS
public import ProbeKit

/// `gnutls_handshake` on a blocking socket, with `gnutls_session_set_verify_cert`.
///
/// `@unchecked Sendable`: the credentials are made in `init` and only read after it, which GnuTLS documents as safe from
/// several threads (manual, section "Thread safety").
@safe public final class GnuTLSHandshakeFloor: HandshakeFloor, @unchecked Sendable {
    private let credentials: gnutls_certificate_credentials_t

    /// `gnutls`.
    public static let transport = "gnutls"

    /// Creates a client that trusts one CA.
    public init(anchor: [UInt8]) throws(HandshakeFailure) {
        if let absence = GnuTLSLibrary.absence { throw absence.handshakeFailure }
        guard let credentials = unsafe cprobe_gnutls_floor_credentials(anchor, UInt32(clamping: anchor.count)) else {
            throw HandshakeFailure(.backendError, "GnuTLS can't make a bare client")
        }
        unsafe self.credentials = credentials
    }

    deinit {
        unsafe gnutls_certificate_free_credentials(credentials)
    }

    /// Makes one connection.
    public func handshake(port: UInt16, name: String) -> Bool {
        unsafe cprobe_gnutls_floor_handshake(credentials, port, name) == 1
    }
}
