public import ProbeKit
public import ProbePlatform
import ProbeTrust

/// Warns that the server asks for a client certificate, which no probe sends: its clients may need one.
///
/// If the server ends the connection over it, ``HandshakeCompletes`` has reported that. If it goes on, only its HTTP
/// response can show whether it serves a client without one: nginx with `ssl_verify_client on` completes the handshake,
/// and answers 400.
public struct ClientCertificateAsked: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a warning with the result of the handshake without one, and of the request if there was one.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let report = evidence.connection?.report, report.clientCertificateRequested == true,
            !ClientCertificateRefusal.isOne(report)
        else { return [] }
        let message = "the server asked for a client certificate" + Self.issuers(report)
        if report.failure != nil {
            return [.warning(Self.code, stage: .tls, message, fix: Self.fix)]
        }
        guard let response = report.http?.response else {
            return [
                .warning(
                    Self.code, stage: .tls,
                    "\(message) and went on without one; whether it answers requests without one was not asked",
                    fix: Self.fix)
            ]
        }
        // nginx's own code for it, sent only if configured; by default it answers 400.
        if response.status == 496 {
            return [
                .error(
                    .handshakeFailed, code: ClientCertificateRefusal.code, stage: .tls,
                    "\(message), and answered the request without one with the HTTP status 496, SSL certificate required",
                    fix: ClientCertificateRefusal.fix)
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
                fix: Self.fix)
        ]
    }

    private static let code = "client-certificate-requested"
    private static let fix: Fix =
        "check that clients without a certificate are served; if they need one, that those that were shipped have it"

    /// Returns the first issuers that it names, in the words of RFC 4514.
    private static func issuers(_ report: HandshakeReport) -> String {
        let shown = 3
        let names = report.clientCertificateIssuers.prefix(shown).compactMap(DistinguishedNameText.of)
        guard !names.isEmpty else { return "" }
        let more = report.clientCertificateIssuers.count > shown ? ", …" : ""
        return " of \(names.map { "'\($0)'" }.joined(separator: ", "))\(more)"
    }
}
