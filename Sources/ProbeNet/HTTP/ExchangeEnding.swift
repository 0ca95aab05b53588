package import ProbeKit

/// The end of a connection that was used for one request.
struct ExchangeEnding: Sendable {
    /// The result of the request.
    let http: HTTPReport
    /// The server's request for a client certificate meanwhile.
    var certificateRequest: LateCertificateRequest?
    /// The reason why nothing more came from the server; nil if more may have come.
    var end: RecordFailure?

    /// Writes the ending into a report of the handshake before it. If the server asked for a certificate, in the handshake or
    /// after it, an alert in place of the response is its refusal, as it is right after a handshake (RFC 8446 section 4.4.2.4).
    func fill(_ report: inout HandshakeReport) {
        report.http = http
        certificateRequest?.fill(&report)
        guard http.response == nil, report.mayBeRefusedLate, let refusal = end?.refusal else { return }
        report.failure = refusal
    }
}

extension HandshakeReport {
    /// True if the server may still refuse this client although the handshake is complete: it asked for a certificate in TLS
    /// 1.3, where its answer to the client's last flight comes afterwards (RFC 8446 section 4.4.2.4).
    package var mayBeRefusedLate: Bool {
        (clientCertificateRequested == true || clientCertificateRequestedLate == true) && version == .tls13
    }
}
