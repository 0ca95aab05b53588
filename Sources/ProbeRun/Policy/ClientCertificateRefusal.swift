import ProbeKit

/// Recognizes a server that ended the connection because the client, asked for a certificate, had none.
enum ClientCertificateRefusal {
    static let code = "client-certificate-required"
    static let fix: Fix =
        "check that the clients that were shipped have a certificate for this server; if none has one, find out why it asks (nginx: ssl_verify_client)"

    /// Returns true if a handshake failed this way. The client answers the request in its last flight: in TLS 1.3 its
    /// side is complete by then, so an earlier failure can't be caused by the answer.
    static func isOne(_ report: HandshakeReport) -> Bool {
        guard let failure = report.failure, report.clientCertificateRequested == true,
            failure.isAfterHandshake || report.version != .tls13
        else { return false }
        return switch failure.code {
        case .alertReceived: failure.alert.map(alerts.contains) ?? false
        case .connectionClosed, .connectionReset: true
        default: false
        }
    }

    /// The alerts that servers refuse a certificate with (RFC 8446 section 6.2, RFC 5246 section 7.2.2):
    /// handshake_failure, no_certificate and its kin, unknown_ca, access_denied, certificate_required.
    private static let alerts: Set<UInt8> = [40, 41, 42, 43, 44, 45, 46, 48, 49, 116]
}
