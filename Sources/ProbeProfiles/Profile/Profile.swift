public import ProbeKit
public import ProbeSignatures

/// The checks that a shipped app, or several, make of their servers, as one value: the native format of pins, which
/// every other format is read into and written from (requirements 95 to 104).
public struct Profile: Hashable, Sendable {
    /// A name for reports.
    public var name: String?
    /// The rule for a service whose host no rule lists (decided: unlisted-hosts).
    public var unlistedHost: UnlistedHost
    /// The default requirements of every service.
    public var defaults: ConnectionDemands
    /// Pins that hold for every host no rule lists (requirement 59).
    public var pins: [PinSet]
    /// The rules that give hosts their pins.
    public var hosts: [HostRule]
    /// The services to check, by environment and in the order of the file.
    public var environments: [ProfileEnvironment]
    /// The allow-lists to check.
    public var models: [ModelRule]
    /// The trusted signers of files that clients fetch (requirement 93); paths start at the profile's folder.
    public var signers: [SignerRecord]
    /// The SHA-256 of files that the profile names, by their paths as it has them: a signature over the profile covers these
    /// files too.
    public var digests: [String: PinDigest]

    /// Creates a profile.
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

extension Profile {
    /// The hosts that its rules name, then those that common names of its pins are, once each. A name that begins with a
    /// wildcard is of none.
    public var namedHosts: [ServerName] {
        let ruled = hosts.compactMap { rule in
            (try? ServerName(rule.pattern)).flatMap { rule.matches($0) ? $0 : nil }
        }
        let listed = pins.flatMap(\.members).compactMap(\.commonName).filter { !$0.contains("*") }
            .compactMap { try? ServerName($0) }
        var seen: Set<ServerName> = []
        return (ruled + listed).filter { seen.insert($0).inserted }
    }

    /// The profile, with a service for each host of its rules if it lists no services: platforms' own files have only
    /// rules.
    public var withImpliedServices: Profile {
        guard environments.allSatisfy(\.services.isEmpty) else { return self }
        var profile = self
        profile.environments = [
            ProfileEnvironment(
                services: namedHosts.map { Service(name: $0.description, target: Target(name: $0)) })
        ]
        return profile
    }
}

/// The rule for a host without pins in a profile. The clients differ: some refuse, most let the system decide.
public enum UnlistedHost: String, Hashable, Sendable, Codable, CaseIterable {
    /// The check fails: one that checks no pins must not look like one that did.
    case fail
    /// The system's trust decides alone.
    case system
    /// It is not checked.
    case skip
}
