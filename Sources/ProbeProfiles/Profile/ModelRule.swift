public import ProbeKit
public import ProbePlatform
public import ProbeRun

/// An allow-list of models in DNS that a build has to be on (requirements 17 to 38).
public struct ModelRule: Hashable, Sendable {
    /// The model the build carries.
    public var model: ModelName
    /// The names that publish the list, in order.
    public var hosts: [DNSName]
    /// The servers to ask, as on the command line: `ADDR:PORT`, or an https URL; empty asks the system's.
    public var servers: [String]
    /// The keys that the servers may have, all of which are then asked over TLS; empty pins none.
    public var serverPins: [PinDigest]
    /// The DNSSEC validation that the answer needs.
    public var dnssec: DNSSECPolicy
    /// The trust anchors of validation: files or records, paths relative to the profile's folder; empty is the
    /// system's.
    public var dnssecAnchors: [String]
    /// The way the strings of a record are read (decided: record-strings).
    public var strings: TXTStrings
    /// The result of an absent list in a watch.
    public var absence: ModelCheck.Absence
    /// The time for which a success counts, in seconds (requirement 23).
    public var cacheSeconds: Int
    /// Every model there ever was; empty if the profile keeps no history.
    public var registry: [ModelRegistryRow]

    /// The default time for which a success counts, in seconds.
    public static let defaultCacheSeconds = 3600

    /// Creates a rule.
    public init(
        model: ModelName, hosts: [DNSName], servers: [String] = [], serverPins: [PinDigest] = [],
        dnssec: DNSSECPolicy = .off, dnssecAnchors: [String] = [], strings: TXTStrings = .joined,
        absence: ModelCheck.Absence = .transient,
        cacheSeconds: Int = defaultCacheSeconds, registry: [ModelRegistryRow] = []
    ) {
        self.model = model
        self.hosts = hosts
        self.servers = servers
        self.serverPins = serverPins
        self.dnssec = dnssec
        self.dnssecAnchors = dnssecAnchors
        self.strings = strings
        self.absence = absence
        self.cacheSeconds = cacheSeconds
        self.registry = registry
    }
}

/// One model of a registry: names are never used twice, periods may overlap (requirements 35, 36).
public struct ModelRegistryRow: Hashable, Sendable {
    /// The name.
    public var name: ModelName
    /// The first instant at which it is valid.
    public var from: Date
    /// The last instant at which it is valid; nil if there is none.
    public var until: Date?
    /// The version of the app that introduced it.
    public var version: String?

    /// Creates a row.
    public init(name: ModelName, from: Date, until: Date? = nil, version: String? = nil) {
        self.name = name
        self.from = from
        self.until = until
        self.version = version
    }
}
