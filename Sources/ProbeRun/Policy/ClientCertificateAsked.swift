public import ProbeKit
public import ProbePlatform
import ProbeTrust

/// Warns that the server asks for a client certificate and got none: its clients may need one. Where one was given, notes
/// whether it was sent.
///
/// If the server ends the connection over it, ``HandshakeCompletes`` has reported that. If it goes on, only its HTTP
/// response can show whether it serves a client without one: nginx with `ssl_verify_client on` completes the handshake,
/// and answers 400.
public struct ClientCertificateAsked: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a warning with the result of the handshake without one, and of the request if there was one.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let report = evidence.connection?.report, !ClientCertificateRefusal.isOne(report) else { return [] }
        // A handshake that failed for another reason may have ended before the client's turn.
        let isAnswered =
            report.failure.map {
                $0.isAfterHandshake || $0.cause == .clientKeyExcluded || report.certificateRequestAnswered == true
            } ?? true
        let message =
            "the server asked for a client certificate\(Self.issuers(report))\(Self.moment(report))\(isAnswered ? Self.unsent(report) : "")"
        let fix =
            report.clientCertificateSent == false && isAnswered ? ClientCertificateRefusal.fixOfUnsent : Self.fix
        if report.clientCertificateSent == true { return [Self.sent(report, message)] }
        guard report.asksForClientCertificate else {
            guard report.clientCertificateSent == false, report.failure == nil else { return [] }
            return [
                .note(
                    "client-certificate-not-sent", stage: .tls,
                    "the server did not ask for a client certificate\(Self.bound(report))")
            ]
        }
        if report.failure != nil {
            return [.warning(Self.code, stage: .tls, message, fix: fix)]
        }
        guard let response = report.http?.response else {
            return [.warning(Self.code, stage: .tls, message + Self.unanswered(report), fix: fix)]
        }
        // nginx's own code for it, sent only if configured; by default it answers 400.
        if response.status == 496 {
            return [
                .error(
                    .handshakeFailed, code: ClientCertificateRefusal.code, stage: .tls,
                    "\(message), and answered the request without one with the HTTP status 496, SSL certificate required",
                    fix: ClientCertificateRefusal.remedy(for: report))
            ]
        }
        let refusal =
            (400..<500).contains(response.status)
            ? ": nginx answers 400 where it requires one, others 401 or 403, and a HEAD has no text that would say so"
            : ""
        return [
            .warning(
                Self.code, stage: .tls,
                "\(message), went on without one and answered the request with the HTTP status \(response.status)\(refusal)",
                fix: fix)
        ]
    }

    /// Returns the rest of the note about a server that did not ask, as far as it could have asked later. Before TLS 1.3 it asks by
    /// renegotiation (RFC 5246 section 7.4.1.1), which stacks refuse without a report of it.
    private static func bound(_ report: HandshakeReport) -> String {
        guard let version = report.version else { return ", so it was not sent" }
        if version < .tls13 {
            return " in the handshake, so it was not sent; whether it asks by renegotiation later is not reported"
        }
        return report.clientCertificateRequestedLate == nil
            ? ", so it was not sent; this ClientHello does not let it ask after the handshake" : ", so it was not sent"
    }

    /// Returns, in brackets, that the certificate that was given was not sent. The reason is known where the stack reports that it
    /// answered: it sends the certificate whatever issuers the server names, unless the server takes no signature by its key.
    static func unsent(_ report: HandshakeReport) -> String {
        guard report.asksForClientCertificate, report.clientCertificateSent == false else { return "" }
        let isExcluded = report.certificateRequestAnswered == true || report.failure?.cause == .clientKeyExcluded
        return
            " (the one that was given was not sent\(isExcluded ? ", as the server takes no signature by its key" : ""))"
    }

    /// Returns what is known of a server that ended nothing and answered no request. A stack that refused the chain or the
    /// name may have ended the connection itself, so that the server did not go on.
    private static func unanswered(_ report: HandshakeReport) -> String {
        if case .unavailable(let reason)? = report.http?.outcome {
            return " and went on without one; whether it answers requests without one is not known: \(reason)"
        }
        let wentOn = report.nativeTrust?.isAccepted == false ? "" : " and went on without one"
        return "\(wentOn); whether it answers requests without one was not asked"
    }

    /// Returns whether a certificate that was sent was accepted, as far as the answer to a request shows it.
    private static func sent(_ report: HandshakeReport, _ message: String) -> Finding {
        let status = report.http?.response?.status
        // nginx's own code for one that it does not accept, sent only if configured; by default it answers 400.
        if status == 495 {
            return .error(
                .handshakeFailed, code: ClientCertificateRefusal.codeOfSent, stage: .tls,
                "\(message), and answered the request with the HTTP status 495, SSL certificate error",
                fix: ClientCertificateRefusal.fixOfSent)
        }
        guard let status, [400, 401, 403].contains(status) else {
            return .note("client-certificate-sent", stage: .tls, "\(message), and it was sent\(answer(report))")
        }
        return .warning(
            "client-certificate-sent", stage: .tls,
            "\(message), it was sent, and the server answered the request with the HTTP status \(status): nginx answers 400 to one that it does not accept, others 401 or 403",
            fix: ClientCertificateRefusal.fixOfSent)
    }

    private static let code = "client-certificate-requested"
    private static let fix: Fix =
        "check that clients without a certificate are served; if they need one, that those that were shipped have it"

    /// Returns the issuers that a server accepts, in brackets.
    static func accepted(_ report: HandshakeReport) -> String {
        let issuers = issuers(report)
        return issuers.isEmpty ? "" : " (it asks for one\(issuers))"
    }

    /// Returns when it asked, unless that was in the handshake.
    private static func moment(_ report: HandshakeReport) -> String {
        report.clientCertificateRequestedLate == true ? " after the handshake" : ""
    }

    /// Returns what followed a certificate that was asked for after the handshake.
    private static func answer(_ report: HandshakeReport) -> String {
        guard report.clientCertificateRequestedLate == true else { return "" }
        return report.http?.response.map { "; the server answered with the HTTP status \($0.status)" }
            ?? "; the server did not answer the request"
    }

    /// Returns the first issuers that it names, in the words of RFC 4514.
    private static func issuers(_ report: HandshakeReport) -> String {
        let shown = 3
        let names = report.clientCertificateIssuers.prefix(shown).compactMap(DistinguishedNameText.of)
        guard !names.isEmpty else { return "" }
        let more = report.clientCertificateIssuers.count > shown ? ", …" : ""
        return " of \(names.map { "'\($0)'" }.joined(separator: ", "))\(more)"
    }
}

extension HandshakeReport {
    /// True if the server asked for a client certificate, in the handshake or after it.
    fileprivate var asksForClientCertificate: Bool {
        clientCertificateRequested == true || clientCertificateRequestedLate == true
    }
}

/// Recognizes a server that ended the connection because the client, asked for a certificate, had none.
enum ClientCertificateRefusal {
    static let code = "client-certificate-required"
    static let codeOfSent = "client-certificate-refused"
    static let fixOfSent: Fix = "check that it is valid, for clients, and from an issuer that the server accepts"
    private static let fix: Fix =
        "\(.giveClientIdentity), and check that the clients that were shipped have a certificate for this server; if none has one, find out why it asks (nginx: ssl_verify_client)"

    /// Returns the remedy for a server that requires one: whoever gave one is not asked for it again.
    static func remedy(for report: HandshakeReport) -> Fix {
        report.clientCertificateSent == false && report.asksForClientCertificate ? fixOfUnsent : fix
    }

    static let fixOfUnsent: Fix =
        "check which signature algorithms and issuers the server takes, and give a client certificate that fits"

    /// Returns true if a handshake failed this way. The client answers the request in its last flight, so that an earlier failure
    /// can't be caused by the answer. In TLS 1.3 its side is complete by then; before, the stack reports whether it answered.
    static func isOne(_ report: HandshakeReport) -> Bool {
        guard let failure = report.failure, report.asksForClientCertificate,
            failure.isAfterHandshake || (report.version != .tls13 && report.certificateRequestAnswered != false)
        else { return false }
        return switch failure.code {
        case .alertReceived: failure.alert.map(alerts.contains) ?? false
        case .connectionClosed, .connectionReset: true
        default: false
        }
    }

    /// The alerts that servers refuse a certificate with (RFC 8446 section 6.2, RFC 5246 section 7.2.2).
    private static let alerts: Set<HandshakeFailure.Alert> = [
        .handshakeFailure, .noCertificate, .badCertificate, .unsupportedCertificate, .certificateRevoked,
        .certificateExpired, .certificateUnknown, .unknownAuthority, .accessDenied, .certificateRequired,
    ]
}
