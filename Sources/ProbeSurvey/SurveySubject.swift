import ProbeKit

/// A list of a ClientHello that a survey goes through, one of the server's choices after the other.
enum SurveySubject: String, Hashable, Sendable, CaseIterable {
    case cipherSuites = "cipher suites"
    case groups
    case signatureAlgorithms = "signature algorithms"
    case alpn = "application protocols"

    /// The names to ask for in a version, the usual ones first.
    func candidates(in version: TLSVersion) -> [String] {
        switch self {
        case .cipherSuites: SuiteOrder.suites(of: version)
        case .groups: version < .tls12 ? [] : Self.sorted(.groups, first: ["X25519MLKEM768", "x25519", "secp256r1"])
        case .signatureAlgorithms:
            version < .tls12
                ? [] : Self.sorted(.signatureSchemes, first: ["ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256"])
        // Eight are as many as GnuTLS offers.
        case .alpn: ["h2", "http/1.1", "http/1.0", "spdy/3.1", "dot", "imap", "postgresql", "xmpp-client"]
        }
    }

    private static func sorted(_ registry: ClientOffer.Registry, first: [String]) -> [String] {
        let rest = registry.allNames.filter { !first.contains($0) }
        return first + rest.sorted { (registry.number(of: $0) ?? 0) < (registry.number(of: $1) ?? 0) }
    }

    /// The server's choice in a handshake.
    func choice(in report: HandshakeReport) -> String? {
        switch self {
        case .cipherSuites: report.cipherSuite
        case .groups: report.group
        case .signatureAlgorithms: report.signatureAlgorithm
        case .alpn: report.alpn
        }
    }
}

extension ClientOffer {
    /// Creates an offer of one version with these lists; a list that is empty or missing is the stack's own.
    init(_ version: TLSVersion, _ lists: [SurveySubject: [String]], sessionTicket: Bool = false) {
        func list(_ subject: SurveySubject) -> [String]? { lists[subject].flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            versions: [version.rawValue], cipherSuites: list(.cipherSuites), groups: list(.groups),
            signatureAlgorithms: list(.signatureAlgorithms), alpn: list(.alpn) ?? [], sessionTicket: sessionTicket)
    }
}

/// The order in which cipher suites are offered: by key exchange, then by cipher, the usual ones first. It is also that of
/// a stack which makes its list out of key exchanges and ciphers.
enum SuiteOrder {
    private static let exchanges = ["", "ECDHE_ECDSA", "ECDHE_RSA", "DHE_RSA", "DHE_DSS", "RSA"]
    private static let ciphers = [
        "AES_256_GCM", "CHACHA20_POLY1305", "AES_128_GCM", "AES_256_CBC", "AES_128_CBC", "AES_256_CCM", "AES_128_CCM",
    ]

    /// Returns the suites that a version can have.
    static func suites(of version: TLSVersion) -> [String] {
        ClientOffer.Registry.cipherSuites.allNames.filter { isPossible($0, in: version) }
            .map { (name: $0, key: key($0)) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) || $0.key == $1.key && $0.name < $1.name }
            .map(\.name)
    }

    private static func isPossible(_ name: String, in version: TLSVersion) -> Bool {
        let isNew = !name.contains("_WITH_")
        guard version < .tls13 else { return isNew }
        // Authenticated ciphers and other digests than SHA-1 came with TLS 1.2.
        let needs12 = ["GCM", "CCM", "POLY1305", "SHA256", "SHA384"].contains { name.contains($0) }
        return !isNew && (version == .tls12 || !needs12)
    }

    private static func key(_ name: String) -> [Int] {
        let parts = name.dropFirst("TLS_".count).split(separator: "_WITH_", maxSplits: 1).map(String.init)
        let exchange = parts.count == 2 ? parts[0] : ""
        let cipher = parts.last ?? ""
        return [
            exchanges.firstIndex(of: exchange) ?? exchanges.count,
            ciphers.firstIndex { cipher.hasPrefix($0) } ?? ciphers.count, cipher.hasSuffix("_MD5") ? 1 : 0,
        ]
    }
}

extension String {
    /// True of a cipher suite that exchanges keys over an elliptic curve, and in TLS 1.3 of all.
    var isEllipticSuite: Bool { hasPrefix("TLS_ECDHE_") || !contains("_WITH_") }
    /// True of a cipher suite in which the server signs.
    var isSigningSuite: Bool { isEllipticSuite || hasPrefix("TLS_DHE_") }
}
