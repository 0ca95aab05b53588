import ProbeKit

/// The end of a connection that was used for one request.
struct ExchangeEnding: Sendable {
    /// The result of the request.
    let http: HTTPReport
    /// The server's request for a client certificate meanwhile.
    var certificateRequest: LateCertificateRequest?
    /// The reason why nothing more came from the server; nil if more may have come.
    var end: RecordFailure?

    /// Writes the ending into a report of the handshake before it: the alert after a request for a certificate is the
    /// server's refusal, as it is right after a handshake.
    func fill(_ report: inout HandshakeReport) {
        report.http = http
        guard let certificateRequest else { return }
        certificateRequest.fill(&report)
        if let refusal = end?.refusal { report.failure = refusal }
    }
}
