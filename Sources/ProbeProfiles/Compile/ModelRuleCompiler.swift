public import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeTrust

/// Turns a model rule into a check.
struct ModelRuleCompiler {
    private let files: ProfileFiles
    private let settings: ProfileCompiler.Settings

    init(files: ProfileFiles, _ settings: ProfileCompiler.Settings) {
        self.files = files
        self.settings = settings
    }

    func check(_ rule: ModelRule) throws(InputError) -> ModelCheck {
        let (servers, httpsServers, tlsServers) = try servers(rule)
        guard let lifetime = CacheLifetime(rule.cacheSeconds) else {
            throw InputError(
                "the model '\(rule.model)': the cache lifetime \(rule.cacheSeconds) s is out of range",
                remedy: "give 0 to \(CacheLifetime.longest.seconds) seconds", source: .file)
        }
        let given = settings.models
        let dnssec = rule.dnssec.rank >= given.dnssec.rank ? rule.dnssec : given.dnssec
        let ednsSize = given.ednsSize ?? DNSQuery.defaultEDNSSize
        return ModelCheck(
            model: rule.model, hosts: rule.hosts, servers: servers, httpsServers: httpsServers,
            tlsServers: tlsServers, serverPins: given.serverPins.union(rule.serverPins),
            ednsSize: ednsSize == 0 ? nil : ednsSize, dnssec: dnssec,
            anchors: dnssec == .off ? [] : try anchors(rule), strings: given.strings ?? rule.strings,
            absence: rule.absence, cacheLifetime: lifetime)
    }

    private func servers(_ rule: ModelRule) throws(InputError) -> ([Endpoint], [DoHServer], [DNSQuery.TLSServer]) {
        let given = settings.models
        guard given.servers.isEmpty, given.httpsServers.isEmpty, given.tlsServers.isEmpty else {
            return (given.servers, given.httpsServers, given.tlsServers)
        }
        var servers: [Endpoint] = []
        var tlsServers: [DNSQuery.TLSServer] = []
        var httpsServers: [DoHServer] = []
        for text in rule.servers {
            do throws(InputError) {
                if DoHServer.isURL(text) {
                    httpsServers.append(
                        try DoHServer(text, connect: given.httpsConnect, anchors: try serverAnchors()))
                } else if DNSQuery.TLSServer.isURL(text) {
                    tlsServers.append(
                        try DNSQuery.TLSServer(text, connect: given.httpsConnect, anchors: try serverAnchors()))
                } else {
                    servers.append(try .dnsServer(text))
                }
            } catch {
                throw InputError("the model '\(rule.model)': \(error.message)", remedy: error.remedy, source: .file)
            }
        }
        return (servers, httpsServers, tlsServers)
    }

    private func serverAnchors() throws(InputError) -> TrustAnchors {
        if let anchors = settings.models.httpsAnchors ?? settings.anchors { return anchors }
        return try .system()
    }

    /// Reads the anchors: a text with blanks between its fields is a record, any other is a path.
    private func anchors(_ rule: ModelRule) throws(InputError) -> [DNSAnchor] {
        guard settings.models.dnssecAnchors.isEmpty else { return settings.models.dnssecAnchors }
        guard !rule.dnssecAnchors.isEmpty else { return try DNSAnchor.system() }
        var anchors: [DNSAnchor] = []
        for text in rule.dnssecAnchors {
            anchors +=
                text.contains(where: \.isWhitespace)
                ? [try DNSAnchor(text)] : try DNSAnchor.records(in: files.bytes(of: text), from: text)
        }
        return anchors
    }
}

/// A caller's settings for querying allow-lists, over a profile's rules: they redirect, and they tighten.
public struct ModelSettings: Sendable {
    /// The servers to ask over UDP and TCP; with ``httpsServers`` they replace those of every rule.
    public var servers: [Endpoint]
    /// The servers to ask over HTTPS.
    public var httpsServers: [DoHServer]
    /// The servers to ask over TLS.
    public var tlsServers: [DNSQuery.TLSServer]
    /// The keys that ``tlsServers`` may have; a rule's own stay.
    public var serverPins: Set<PinDigest>
    /// The endpoint to dial for the https and tls servers that rules name; nil dials their URLs.
    public var httpsConnect: Endpoint?
    /// The anchors of the https and tls servers that rules name; nil leaves them as they are.
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
        servers: [Endpoint] = [], httpsServers: [DoHServer] = [], tlsServers: [DNSQuery.TLSServer] = [],
        serverPins: Set<PinDigest> = [], httpsConnect: Endpoint? = nil,
        httpsAnchors: TrustAnchors? = nil, dnssec: DNSSECPolicy = .off, dnssecAnchors: [DNSAnchor] = [],
        ednsSize: UInt16? = nil, strings: TXTStrings? = nil
    ) {
        self.servers = servers
        self.httpsServers = httpsServers
        self.tlsServers = tlsServers
        self.serverPins = serverPins
        self.httpsConnect = httpsConnect
        self.httpsAnchors = httpsAnchors
        self.dnssec = dnssec
        self.dnssecAnchors = dnssecAnchors
        self.ednsSize = ednsSize
        self.strings = strings
    }
}
