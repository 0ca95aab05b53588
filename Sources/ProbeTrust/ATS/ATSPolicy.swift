public import ProbeKit
public import ProbePlatform

/// The requirements of Apple's App Transport Security, and of the trust evaluation below it, for a server (requirement
/// 52): one finding for each rule that is broken, each an error with the outcome `tls-policy-failed` unless noted.
///
/// | code | rule | source |
/// |---|---|---|
/// | `ats-tls-version` | TLS 1.2 or later | Preventing Insecure Network Connections |
/// | `ats-forward-secrecy` | ECDHE, or TLS 1.3 | NSExceptionRequiresForwardSecrecy |
/// | `ats-cipher-suite` | AES-128 or AES-256, one of the listed suites | Cocoa Keys, NSAppTransportSecurity |
/// | `ats-key-size` | RSA of 2048 bits or an elliptic curve of 256, of the leaf and its issuers | the same, Apple 103769 |
/// | `ats-signature-digest` | SHA-256 or better, of the leaf and its issuers, not of the anchor | the same |
/// | `ats-alternative-name` | a subject alternative name, not the common name | Apple 103769 |
/// | `ats-server-purpose` | the leaf's extended key usage names serverAuth, if issued since 2019-07-01 | Apple 103769 |
/// | `ats-certificate-lifetime` | 398 days below the system's anchors, else 825 | Apple 102028, 103769 |
/// | `ats-certificate-lifetime-schedule` | 200, 100, 47 days; a warning | CA/Browser Forum ballot SC-081v3 |
///
/// The numbers are those of Apple's support articles. The schedule binds public CAs; nothing published by Apple says
/// that its clients reject certificates that break it. A suite is judged as negotiated with our transport: a client
/// that offers other suites may negotiate another one. Certificate Transparency is not judged.
public struct ATSPolicy: Policy {
    private let anchorsAreSystem: Bool?

    /// Creates the policy.
    ///
    /// - Parameter anchorsAreSystem: whether the anchors count as those that Apple ships, to which the 398 days apply and not
    ///   to anchors that a user, an administrator or an app adds (Apple 102028); nil takes it from the evidence, whose
    ///   anchors are the system's or were named.
    public init(anchorsAreSystem: Bool? = nil) {
        self.anchorsAreSystem = anchorsAreSystem
    }

    /// Returns one error or warning for each rule that is broken; a note where all are kept.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, connection.missing.isEmpty else { return [] }
        let areSystem = anchorsAreSystem ?? connection.anchors.isSystem
        let findings = ATSConnectionRules.findings(connection)
        guard !connection.certificates.isEmpty else { return findings }
        let all = findings + ATSCertificateRules(connection, anchorsAreSystem: areSystem).findings
        guard !all.contains(where: { $0.severity == .error }), connection.report.failure == nil else { return all }
        let limits = areSystem ? "with the lifetimes for the system's anchors" : "with the lifetimes for added anchors"
        let subject = connection.report.isSupplied ? "the chain satisfies" : "the connection satisfies"
        return all + [.note(ATSCode.satisfied, stage: .tls, "\(subject) App Transport Security, \(limits)")]
    }
}

/// App Transport Security's requirements for the negotiated connection.
enum ATSConnectionRules {
    static func findings(_ connection: ConnectionEvidence) -> [Finding] {
        let report = connection.report
        // A missing version or suite is reported by another policy.
        guard report.failure == nil, let version = report.version else { return [] }
        var findings: [Finding] = []
        if version < .tls12 {
            findings.append(
                .error(
                    .tlsPolicyFailed, code: "ats-tls-version", stage: .tls,
                    "the server chose \(version.rawValue), App Transport Security wants TLS 1.2 or later",
                    fix: "enable TLS 1.2 and TLS 1.3 on the server"))
        }
        // Every suite of TLS 1.3 has forward secrecy and AES or ChaCha20.
        guard version < .tls13 else { return findings }
        guard let suite = report.cipherSuite else { return findings + [unread(connection.transport.name)] }
        if let finding = finding(suite) { findings.append(finding) }
        return findings
    }

    private static func finding(_ suite: String) -> Finding? {
        if documented.contains(suite) { return nil }
        let fix: Fix = "enable TLS_ECDHE_… suites with AES-GCM on the server, and prefer them"
        guard suite.hasPrefix("TLS_ECDHE_") else {
            return .error(
                .tlsPolicyFailed, code: "ats-forward-secrecy", stage: .tls,
                "\(suite) was negotiated: App Transport Security wants forward secrecy by ECDHE", fix: fix)
        }
        guard implemented.contains(suite) else {
            return .error(
                .tlsPolicyFailed, code: "ats-cipher-suite", stage: .tls,
                "\(suite) was negotiated, which is not among the suites of App Transport Security", fix: fix)
        }
        return .note(
            "ats-cipher-suite", stage: .tls,
            "\(suite) was negotiated, which Apple's code takes and its documentation does not list", fix: fix)
    }

    private static func unread(_ transport: String) -> Finding {
        .error(
            .internalError, code: "cipher-suite-unread", stage: .tls,
            "\(transport) completed the handshake and did not report its cipher suite",
            fix: "report this as a fault of the backend")
    }

    /// Information Property List Key Reference, Cocoa Keys, "Requirements for Connecting Using ATS".
    private static let documented: Set = [
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    ]

    /// The additional suites of the list with forward secrecy in Apple's Security framework (59306).
    private static let implemented: Set = [
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    ]
}
