public import ProbeKit

/// A model list in DNS that a build has to be on (requirements 17 to 38).
public struct ModelRule: Hashable, Sendable {
    /// The model the build carries.
    public var model: ModelName
    /// The names that publish the list, in order.
    public var hosts: [DNSName]
    /// The servers to ask, as on the command line: `ADDR:PORT`, or an https URL; empty asks the system's.
    public var servers: [String]
    /// The DNSSEC validation that the answer needs.
    public var dnssec: DNSSECPolicy
    /// The trust anchors of validation: files or records, paths relative to the profile's folder; empty is the
    /// system's.
    public var dnssecAnchors: [String]
    /// The way the strings of a record are read (decided: record-strings).
    public var strings: TXTStrings
    /// The result of an absent list in a watch.
    public var absence: ModelCheck.Absence
    /// For how many seconds a success holds (requirement 23).
    public var cacheSeconds: Int
    /// Every model there ever was; empty if the profile keeps no history.
    public var registry: [ModelRegistryRow]

    /// The default time for which a success counts, in seconds.
    public static let defaultCacheSeconds = 3600

    /// Creates a rule.
    public init(
        model: ModelName, hosts: [DNSName], servers: [String] = [], dnssec: DNSSECPolicy = .off,
        dnssecAnchors: [String] = [], strings: TXTStrings = .joined, absence: ModelCheck.Absence = .transient,
        cacheSeconds: Int = defaultCacheSeconds, registry: [ModelRegistryRow] = []
    ) {
        self.model = model
        self.hosts = hosts
        self.servers = servers
        self.dnssec = dnssec
        self.dnssecAnchors = dnssecAnchors
        self.strings = strings
        self.absence = absence
        self.cacheSeconds = cacheSeconds
        self.registry = registry
    }
}
