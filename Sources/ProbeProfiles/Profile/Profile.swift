public import ProbeKit

/// What a shipped app, or several, check of their servers, as one value: the native format of pins, and what every other
/// format is read into and written from (requirements 95 to 104).
public struct Profile: Hashable, Sendable {
    /// A name for reports.
    public var name: String?
    /// What becomes of a service whose host no rule lists (decided: unlisted-hosts).
    public var unlistedHost: UnlistedHost
    /// What every service is held to, where it says nothing of its own.
    public var defaults: ConnectionDemands
    /// Pins that hold for every host no rule lists (requirement 59).
    public var pins: [PinSet]
    /// Which pins hold for which hosts.
    public var hosts: [HostRule]
    /// The services to check, by environment and in the order of the file.
    public var environments: [ProfileEnvironment]
    /// The model lists to check.
    public var models: [ModelRule]
    /// Who may sign what clients fetch (requirement 93); paths start at the profile's folder.
    public var signers: [SignerRecord]
    /// The SHA-256 of files that the profile names, by their paths as it has them: a signature over the profile covers these
    /// files too.
    public var digests: [String: PinDigest]

    /// A profile of its parts.
    public init(
        name: String? = nil, unlistedHost: UnlistedHost = .fail, defaults: ConnectionDemands = ConnectionDemands(),
        pins: [PinSet] = [], hosts: [HostRule] = [], environments: [ProfileEnvironment] = [], models: [ModelRule] = [],
        signers: [SignerRecord] = [], digests: [String: PinDigest] = [:]
    ) {
        self.name = name
        self.unlistedHost = unlistedHost
        self.defaults = defaults
        self.pins = pins
        self.hosts = hosts
        self.environments = environments
        self.models = models
        self.signers = signers
        self.digests = digests
    }
}
