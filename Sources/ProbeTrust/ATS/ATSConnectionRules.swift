import ProbeKit

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
