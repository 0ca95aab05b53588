import ProbeKit

/// Evidence as reports show it.
struct EvidenceRecord: Encodable, Sendable {
    let chain: [CertificateRecord]
    @Always var tls: TLSRecord?
    let trust: TrustRecord
    @Always var http: HTTPRecord?
    let dns: [DNSRecordLine]
    let timings: TimingsRecord
    /// The targets that were tried; empty if the check has no alternates.
    let attempts: [AttemptRecord]

    /// The endpoint that was dialled, where each address of a name or each family has a line of its own, or records were
    /// followed; null otherwise, or if there was none to dial.
    @Always var dialled: String?
    /// The records that led to the server, in the order of the questions; empty if none were asked for.
    let followed: [FollowedRecord]

    init(
        _ evidence: Evidence, trust mode: TrustMode, dialled place: Endpoint? = nil, followed: [FollowedRecords] = []
    ) {
        self.followed = followed.map(FollowedRecord.init)
        dialled = place?.description
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

/// One target that was tried, as reports show it.
struct AttemptRecord: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        let code: HandshakeFailure.Code
        let message: String
    }

    let target: String
    /// The reason why there was no answer; null for the target that answered.
    @Always var failure: Failure?

    init(_ attempt: ConnectionAttempt) {
        target = attempt.target.description
        failure = attempt.failure.map { Failure(code: $0.code, message: PrintableText.escape($0.message)) }
    }
}

/// The duration of each step, in seconds.
struct TimingsRecord: Encodable, Sendable {
    @Always var connect: Double?
    @Always var dialogue: Double?
    @Always var handshake: Double?
    @Always var trust: Double?
    @Always var dns: Double?

    init(_ evidence: Evidence) {
        let timings = evidence.connection?.report.timings
        connect = timings?.connect?.inSeconds
        dialogue = timings?.dialogue?.inSeconds
        handshake = timings?.handshake?.inSeconds
        trust = timings?.trust?.inSeconds
        dns = evidence.model?.duration.inSeconds
    }
}
