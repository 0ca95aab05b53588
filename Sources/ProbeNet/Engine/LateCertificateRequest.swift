package import ProbeKit

/// A server's request for a client certificate after the handshake (RFC 8446 section 4.6.2): it asks when it has read the
/// HTTP request, and answers it afterwards.
public struct LateCertificateRequest: Hashable, Sendable {
    /// The issuers it accepts, each a distinguished name as DER.
    public let issuers: [[UInt8]]
    /// True if the certificate was sent.
    public let isAnswered: Bool

    /// Creates a request that was answered with the certificate, or with none.
    public init(issuers: [[UInt8]], isAnswered: Bool) {
        self.issuers = issuers
        self.isAnswered = isAnswered
    }

    /// Writes the request into a report of the handshake before it.
    package func fill(_ report: inout HandshakeReport) {
        report.clientCertificateRequestedLate = true
        report.clientCertificateIssuers = issuers
        report.certificateRequestAnswered = true
        if isAnswered { report.clientCertificateSent = true }
    }
}
