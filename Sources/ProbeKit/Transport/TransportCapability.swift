/// A feature of transports. A request that needs an undeclared one is rejected before a byte is sent (decided:
/// no-fallback).
public struct TransportCapability: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// The stable name, in kebab case.
    public let rawValue: String

    /// Creates a capability with a stable name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reports the certificates as the server sent them.
    public static let presentedChain = TransportCapability(rawValue: "presented-chain")
    /// Sends a server name of the caller's choice, or none.
    public static let sni = TransportCapability(rawValue: "sni")
    /// Offers application protocols and reports the chosen one.
    public static let alpn = TransportCapability(rawValue: "alpn")
    /// Limits the offered protocol versions.
    public static let versionRange = TransportCapability(rawValue: "version-range")
    /// Reports the key exchange group.
    public static let group = TransportCapability(rawValue: "group")
    /// Asks for and reports a stapled OCSP response.
    public static let ocspStaple = TransportCapability(rawValue: "ocsp-staple")
    /// Reports signed certificate timestamps that came in the handshake.
    public static let handshakeSCTs = TransportCapability(rawValue: "handshake-scts")
    /// Reports the stack's own encoding of each public key.
    public static let keyReading = TransportCapability(rawValue: "key-reading")
    /// Has a public-key pin check of its own (``KeyConfirming``).
    public static let pinCheck = TransportCapability(rawValue: "pin-check")
    /// Evaluates the trust of any chain at any instant, without a connection.
    public static let trustEvaluation = TransportCapability(rawValue: "trust-evaluation")
    /// Judges chains by certificate revocation lists that come with the anchors.
    public static let revocationLists = TransportCapability(rawValue: "revocation-lists")
    /// Accepts the inputs of path validation that are about certificate policies.
    public static let policyInputs = TransportCapability(rawValue: "policy-inputs")
    /// Shows the path that its trust decision took, which pins are judged on.
    public static let verifiedPath = TransportCapability(rawValue: "verified-path")
    /// Reports whether the server asked for a client certificate.
    public static let clientCertificateRequest = TransportCapability(rawValue: "client-certificate-request")
    /// Waits, after a handshake of TLS 1.3 in which a client certificate was asked for, for the server's refusal.
    public static let lateRefusal = TransportCapability(rawValue: "late-refusal")

    /// Makes one HTTP HEAD request over the connection, in HTTP/1.1 and HTTP/2.
    public static let httpHead = TransportCapability(rawValue: "http-head")

    /// Orders by name, for stable output.
    public static func < (left: TransportCapability, right: TransportCapability) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension TrustQuestion {
    /// The capabilities that a transport needs to answer, beside evaluating trust.
    public var requiredCapabilities: Set<TransportCapability> {
        var required: Set<TransportCapability> = []
        if !anchors.revocationLists.isEmpty { required.insert(.revocationLists) }
        if !policies.isDefault { required.insert(.policyInputs) }
        return required
    }
}
