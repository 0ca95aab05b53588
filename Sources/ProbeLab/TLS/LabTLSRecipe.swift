public import ProbeKit

/// A TLS server as data. It counts the clients' bytes inside TLS.
public struct LabTLSRecipe: Hashable, Sendable {
    /// The certificates and key it presents.
    public var identity: LabIdentityName
    /// The identities it presents instead to clients whose SNI is the key, in lowercase.
    public var identitiesByName: [String: LabIdentityName]
    /// The supported versions.
    public var versions: ClosedRange<TLSVersion>
    /// The protocols it accepts by ALPN, the preferred first; without a common one the handshake continues without.
    public var applicationProtocols: [String]
    /// The schemes it signs handshakes with (RFC 8446 section 4.2.3), like 0x0804; nil for the library's choice. In
    /// TLS 1.2 a suite with RSA key exchange needs no signature, so give ``cipherSuites`` too.
    public var signatureSchemes: [UInt16]?
    /// The cipher suites of TLS 1.2 by their IANA numbers, like 0xC02F; nil for the library's choice.
    public var cipherSuites: [UInt16]?
    /// The key exchange groups by their IANA numbers, like 0x001D; nil for the library's choice.
    public var groups: [UInt16]?
    /// True if it asks for a client certificate. It goes on without one.
    public var asksForCertificate: Bool
    /// True if it asks for a client certificate, and refuses a client that has none.
    public var requiresCertificate: Bool
    /// True if it names the lab's root as the issuer of the client certificates that it asks for.
    public var namesIssuers: Bool
    /// The identities that it takes of clients, where it asks for a certificate; nil takes what the lab's root issued.
    public var takesClients: [LabIdentityName]?
    /// The speed of sending; nil for unlimited.
    public var pace: LabPace?
    /// The dialogue in clear text that comes before TLS; nil for none.
    public var dialogue: LabDialogue?
    /// The act of a man in the middle; nil for none.
    public var tampering: LabTampering?
    /// True if it staples an OCSP response, by which the certificate is good, for clients that ask for one.
    public var staples: Bool
    /// The certificate timestamps that it sends in the handshake to clients that ask for them, each as the bytes of RFC 6962
    /// section 3.2. NIOSSL has no setting for them, nor for a staple: a server with either has only its identity and
    /// ``versions`` beside them.
    public var timestamps: [[UInt8]]
    /// The first flight of a server by hand, with only its identity and TLS 1.2 beside it; nil for the library's.
    public var flight: LabFlight?
    /// The behaviour after the handshake.
    public var service: LabService

    /// Creates a server for an identity.
    public init(
        _ identity: LabIdentityName, identitiesByName: [String: LabIdentityName] = [:],
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, applicationProtocols: [String] = [],
        signatureSchemes: [UInt16]? = nil, cipherSuites: [UInt16]? = nil, groups: [UInt16]? = nil,
        asksForCertificate: Bool = false, requiresCertificate: Bool = false, namesIssuers: Bool = false,
        takesClients: [LabIdentityName]? = nil, pace: LabPace? = nil,
        dialogue: LabDialogue? = nil, tampering: LabTampering? = nil, staples: Bool = false,
        timestamps: [[UInt8]] = [], flight: LabFlight? = nil, service: LabService = .sink
    ) {
        self.identity = identity
        self.identitiesByName = identitiesByName
        self.versions = versions
        self.applicationProtocols = applicationProtocols
        self.signatureSchemes = signatureSchemes
        self.cipherSuites = cipherSuites
        self.groups = groups
        self.asksForCertificate = asksForCertificate
        self.requiresCertificate = requiresCertificate
        self.namesIssuers = namesIssuers
        self.takesClients = takesClients
        self.pace = pace
        self.dialogue = dialogue
        self.tampering = tampering
        self.staples = staples
        self.timestamps = timestamps
        self.flight = flight
        self.service = service
    }
}
