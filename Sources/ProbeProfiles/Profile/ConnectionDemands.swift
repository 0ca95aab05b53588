public import ProbeKit
public import ProbeRun

/// The requirements for a connection beside pins; for nil, the next wider scope decides.
public struct ConnectionDemands: Hashable, Sendable {
    /// The trust anchors: the system's, or the certificates of files, whose paths are relative to the profile's folder.
    public enum Anchors: Hashable, Sendable {
        /// The system's anchors.
        case system
        /// The certificates of files, by path.
        case files([String])
    }

    /// The trust anchors.
    public var anchors: Anchors?
    /// The verifier whose trust decision counts.
    public var trust: TrustMode?
    /// The oldest TLS version.
    public var minimumTLS: TLSVersion?
    /// The application protocols to offer.
    public var alpn: [String]?
    /// Named policies beside pins, like `ats`.
    public var policies: [String]?
    /// The rule for asking the server for its time.
    public var serverDate: ServerDateMode?
    /// The time left to a certificate of the path at which the check fails.
    public var expiresWithin: Duration?
    /// The identity for servers that ask for a client certificate; paths are relative to the profile's folder.
    public var clientIdentity: IdentityFiles?

    /// Creates demands.
    public init(
        anchors: Anchors? = nil, trust: TrustMode? = nil, minimumTLS: TLSVersion? = nil, alpn: [String]? = nil,
        policies: [String]? = nil, serverDate: ServerDateMode? = nil, expiresWithin: Duration? = nil,
        clientIdentity: IdentityFiles? = nil
    ) {
        self.anchors = anchors
        self.trust = trust
        self.minimumTLS = minimumTLS
        self.alpn = alpn
        self.policies = policies
        self.serverDate = serverDate
        self.expiresWithin = expiresWithin
        self.clientIdentity = clientIdentity
    }

    /// Returns these demands, with those of a wider scope for the nil ones.
    public func within(_ wider: ConnectionDemands) -> ConnectionDemands {
        ConnectionDemands(
            anchors: anchors ?? wider.anchors, trust: trust ?? wider.trust, minimumTLS: minimumTLS ?? wider.minimumTLS,
            alpn: alpn ?? wider.alpn, policies: policies ?? wider.policies, serverDate: serverDate ?? wider.serverDate,
            expiresWithin: expiresWithin ?? wider.expiresWithin,
            clientIdentity: clientIdentity ?? wider.clientIdentity)
    }
}
