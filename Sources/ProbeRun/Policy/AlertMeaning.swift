import ProbeKit

/// The meaning of the alerts that name what a server wants (RFC 8446 section 6.2).
struct AlertMeaning {
    /// What the server refuses.
    let words: String
    let fix: Fix

    /// The meaning of an alert; nil where its name says nothing that a person could act on.
    init?(_ alert: UInt8, name: String?) {
        switch alert {
        case 70:
            words = "the server accepts none of the TLS versions that were offered"
            fix = "configure the server to accept TLS 1.2 or 1.3"
        case 112:
            words = "the server does not know the name '\(name ?? "")'"
            fix = "check the name, or configure the server for it"
        case 116:
            words = "the server requires a client certificate"
            fix = ClientCertificateRefusal.fix
        case 120:
            words = "the server speaks none of the application protocols that were offered (ALPN)"
            fix = "\(.offerProtocol), or configure the server for this one"
        default: return nil
        }
    }
}
