public import ProbeKit
import ProbePins
import ProbeTrust

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

/// One certificate as reports and `probe pins` show it.
public struct CertificateRecord: Encodable, Sendable {
    let index: Int
    let source: CertificateEvidence.Source
    @Always var certSHA256: String?
    @Always var spkiSHA256: String?
    @Always var rawKeySHA256: String?
    @Always var spkiSHA256Base64: String?
    @Always var stackSPKISHA256: String?
    @Always var subject: String?
    @Always var issuer: String?
    @Always var serial: String?
    @Always var notBefore: String?
    @Always var notAfter: String?
    @Always var key: String?
    @Always var signatureAlgorithm: String?
    let dnsNames: [String]
    let ipAddresses: [String]
    @Always var isCA: Bool?
    let bytes: Int
    @Always var error: String?

    /// Creates the record of a certificate at a position.
    public init(_ certificate: CertificateEvidence, index: Int) {
        self.index = index
        source = certificate.source
        bytes = certificate.der.count
        switch certificate.digests {
        case .success(let digests):
            certSHA256 = digests.cert.hex
            spkiSHA256 = digests.spki.hex
            rawKeySHA256 = digests.rawKey.hex
            spkiSHA256Base64 = digests.spki.base64
        case .failure(let failure):
            error = failure.description
        }
        stackSPKISHA256 = certificate.stackSPKI?.hex
        let details = certificate.details
        subject = details?.subject
        issuer = details?.issuer
        serial = details?.serial
        notBefore = details.map { RFC3339.format($0.notBefore) }
        notAfter = details.map { RFC3339.format($0.notAfter) }
        key = details?.key
        signatureAlgorithm = details?.signatureAlgorithm
        dnsNames = details?.dnsNames ?? []
        ipAddresses = details?.ipAddresses ?? []
        isCA = details?.isCA
    }
}

/// The negotiated parameters, or the progress of the handshake, as shown in reports.
struct TLSRecord: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        let code: HandshakeFailure.Code
        let message: String
        @Always var nativeCode: String?
        @Always var alert: UInt8?
        let afterHandshake: Bool
    }

    @Always var address: String?
    @Always var sni: String?
    @Always var version: TLSVersion?
    @Always var cipherSuite: String?
    @Always var group: String?
    @Always var alpn: String?
    @Always var ocspStaple: String?
    let handshakeSCTs: [String]
    @Always var clientCertificateRequested: Bool?
    @Always var clientCertificateRequestedLate: Bool?
    let clientCertificateIssuers: [String]
    @Always var clientCertificateSent: Bool?
    @Always var failure: Failure?

    init(_ connection: ConnectionEvidence) {
        let report = connection.report
        address = report.peerAddress
        sni = report.sniSent
        version = report.version
        cipherSuite = report.cipherSuite
        group = report.group
        alpn = report.alpn
        ocspStaple = report.ocspStaple.map(Base64.encode)
        handshakeSCTs = report.handshakeSCTs.map(Base64.encode)
        clientCertificateRequested = report.clientCertificateRequested
        clientCertificateRequestedLate = report.clientCertificateRequestedLate
        clientCertificateSent = report.clientCertificateSent
        clientCertificateIssuers = report.clientCertificateIssuers.map {
            DistinguishedNameText.of($0) ?? Base64.encode($0)
        }
        failure = report.failure.map {
            Failure(
                code: $0.code, message: $0.message, nativeCode: $0.nativeCode, alert: $0.alert?.rawValue,
                afterHandshake: $0.isAfterHandshake)
        }
    }
}

/// The server's time over HTTP, as shown in reports.
struct HTTPRecord: Encodable, Sendable {
    @Always var version: String?
    @Always var status: Int?
    /// The server's time, corrected by `Age`.
    @Always var date: String?
    /// The seconds our clock is ahead of it.
    @Always var skew: Int?
    /// The reason why there is no date.
    @Always var failure: String?

    /// Creates the record; nil if nothing was requested.
    init?(_ connection: ConnectionEvidence) {
        guard let http = connection.report.http else { return nil }
        version = http.response?.version
        status = http.response?.status
        switch connection.serverTime {
        case .known(let instant, let seconds):
            (date, skew, failure) = (RFC3339.format(instant), seconds, nil)
        case .unknown(let reason), .notOffered(let reason):
            (date, skew, failure) = (nil, nil, PrintableText.escape(reason))
        case nil:
            (date, skew, failure) = (nil, nil, nil)
        }
    }
}

/// Both trust decisions and their basis, as shown in reports.
struct TrustRecord: Encodable, Sendable {
    struct Anchors: Encodable, Sendable {
        let name: String
        let count: Int
        let sha256: String
    }

    struct Reading: Encodable, Sendable {
        struct Problem: Encodable, Sendable {
            let cause: TrustCause
            @Always var nativeCode: String?
            let message: String
            @Always var depth: Int?
        }

        let accepted: Bool
        @Always var cause: TrustCause?
        let problems: [Problem]
        /// The path it verified, as indices into the chain.
        @Always var path: [Int]?
        let judgesRevocation: Bool

        init(_ reading: TrustReading, path: [Int]?) {
            self.path = path
            accepted = reading.isAccepted
            cause = reading.cause
            judgesRevocation = reading.judgesRevocation
            problems = reading.problems.map {
                Problem(cause: $0.cause, nativeCode: $0.nativeCode, message: $0.message, depth: $0.depth)
            }
        }
    }

    /// One of several root stores, each of which has to trust the chain.
    struct Store: Encodable, Sendable {
        let name: String
        let accepted: Bool
        @Always var cause: TrustCause?
        /// The subject of the anchor; null if the store refuses the chain.
        @Always var anchor: String?
        /// The path to it, as indices into the chain.
        @Always var path: [Int]?

        init(_ store: StoreTrust, in connection: ConnectionEvidence) {
            name = store.store
            accepted = store.trust.isAccepted
            cause = store.trust.cause
            path = connection.path(of: store)
            anchor = path?.last.flatMap { connection.certificates[$0].details?.subject }
        }
    }

    let mode: TrustMode
    @Always var at: String?
    @Always var anchors: Anchors?
    @Always var native: Reading?
    @Always var reference: Reading?
    /// The validated path as indices into the chain.
    @Always var path: [Int]?
    /// The valid paths beside those two; searched for if pins depend on them.
    let furtherPaths: [[Int]]
    /// The decision for each root store, if each of several has to trust the chain.
    let stores: [Store]

    init(_ connection: ConnectionEvidence?, mode: TrustMode) {
        self.mode = mode
        at = connection.map { RFC3339.format($0.instant) }
        anchors = connection.map {
            Anchors(name: $0.anchors.name, count: $0.anchors.certificates.count, sha256: $0.anchors.digest.hex)
        }
        native = connection?.report.nativeTrust.map { Reading($0, path: connection?.nativePath) }
        reference = connection?.referenceTrust.map { Reading($0, path: connection?.referencePath) }
        path = connection?.validated
        furtherPaths = connection?.others(than: .both).map(\.indices) ?? []
        stores = connection.map { connection in connection.stores.map { Store($0, in: connection) } } ?? []
    }
}
