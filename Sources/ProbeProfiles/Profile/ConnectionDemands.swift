public import ProbeKit

/// What a connection is held to beside pins; nil says nothing, and the next wider scope decides.
public struct ConnectionDemands: Hashable, Sendable {
    /// What trust rests on: the system's anchors, or the certificates of files, whose paths are relative to the profile's
    /// folder.
    public enum Anchors: Hashable, Sendable {
        case system
        case files([String])
    }

    /// What trust rests on.
    public var anchors: Anchors?
    /// Whose trust decision counts.
    public var trust: TrustMode?
    /// The oldest TLS version.
    public var minimumTLS: TLSVersion?
    /// The application protocols to offer.
    public var alpn: [String]?
    /// Named policies beside pins, like `ats`.
    public var policies: [String]?
    /// When the server is asked for its time.
    public var serverDate: ServerDateMode?
    /// The time left to a certificate of the path at which the check fails.
    public var expiresWithin: Duration?

    /// Demands of their parts.
    public init(
        anchors: Anchors? = nil, trust: TrustMode? = nil, minimumTLS: TLSVersion? = nil, alpn: [String]? = nil,
        policies: [String]? = nil, serverDate: ServerDateMode? = nil, expiresWithin: Duration? = nil
    ) {
        self.anchors = anchors
        self.trust = trust
        self.minimumTLS = minimumTLS
        self.alpn = alpn
        self.policies = policies
        self.serverDate = serverDate
        self.expiresWithin = expiresWithin
    }

    /// These demands, and those of a wider scope where these say nothing.
    public func within(_ wider: ConnectionDemands) -> ConnectionDemands {
        ConnectionDemands(
            anchors: anchors ?? wider.anchors, trust: trust ?? wider.trust, minimumTLS: minimumTLS ?? wider.minimumTLS,
            alpn: alpn ?? wider.alpn, policies: policies ?? wider.policies, serverDate: serverDate ?? wider.serverDate,
            expiresWithin: expiresWithin ?? wider.expiresWithin)
    }
}
