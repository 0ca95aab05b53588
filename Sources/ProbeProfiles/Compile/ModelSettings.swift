public import ProbeKit

/// A caller's settings for querying model lists, over a profile's rules: they redirect, and they tighten.
public struct ModelSettings: Sendable {
    /// The servers to ask over UDP and TCP; with ``httpsServers`` they replace those of every rule.
    public var servers: [Endpoint]
    /// The servers to ask over HTTPS.
    public var httpsServers: [DoHServer]
    /// The endpoint to dial for the https servers that rules name; nil dials their URLs.
    public var httpsConnect: Endpoint?
    /// The anchors of the https servers that rules name; nil leaves them as they are.
    public var httpsAnchors: TrustAnchors?
    /// The least validation; a rule that asks for more keeps it.
    public var dnssec: DNSSECPolicy
    /// The anchors of validation instead of the rules'; empty keeps those.
    public var dnssecAnchors: [DNSAnchor]
    /// The EDNS0 size to advertise, 0 for no OPT record; nil is the usual one.
    public var ednsSize: UInt16?
    /// The way to read the strings of a record; nil leaves it to each rule.
    public var strings: TXTStrings?

    /// Creates settings; the defaults leave every rule as it is.
    public init(
        servers: [Endpoint] = [], httpsServers: [DoHServer] = [], httpsConnect: Endpoint? = nil,
        httpsAnchors: TrustAnchors? = nil, dnssec: DNSSECPolicy = .off, dnssecAnchors: [DNSAnchor] = [],
        ednsSize: UInt16? = nil, strings: TXTStrings? = nil
    ) {
        self.servers = servers
        self.httpsServers = httpsServers
        self.httpsConnect = httpsConnect
        self.httpsAnchors = httpsAnchors
        self.dnssec = dnssec
        self.dnssecAnchors = dnssecAnchors
        self.ednsSize = ednsSize
        self.strings = strings
    }
}
