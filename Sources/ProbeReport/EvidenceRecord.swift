import ProbeKit

/// Evidence as reports show it.
public struct EvidenceRecord: Encodable, Sendable {
    let chain: [CertificateRecord]
    @Always var tls: TLSRecord?
    let trust: TrustRecord
    @Always var http: HTTPRecord?
    let dns: [DNSRecordLine]
    let timings: TimingsRecord
    /// The targets that were tried; empty if the check has no alternates.
    let attempts: [AttemptRecord]

    init(_ evidence: Evidence, trust mode: TrustMode) {
        let connection = evidence.connection
        chain = connection?.certificates.enumerated().map { CertificateRecord($0.element, index: $0.offset) } ?? []
        tls = connection.map(TLSRecord.init)
        trust = TrustRecord(connection, mode: mode)
        http = connection.flatMap(HTTPRecord.init)
        dns = evidence.model?.answers.flatMap(DNSRecordLine.lines) ?? []
        timings = TimingsRecord(evidence)
        attempts = connection?.attempts.map(AttemptRecord.init) ?? []
    }
}
