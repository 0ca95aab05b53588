import ProbeKit

/// Pins of one host, from any part of a profile.
struct PinnedHost: Hashable {
    /// The host without a wildcard; nil is every host that is not listed.
    var name: String?
    /// The names that it applies to.
    var reach: HostReach
    /// The port it is for; nil is every one.
    var port: UInt16?
    /// Pins, of which every set has to match. Empty exempts the names from wider rules.
    var sets: [PinSet]
    /// The way in which the pins of several rules for one name combine.
    var semantics: HostSemantics
    /// The protocol that starts TLS on the port.
    var startTLS: StartTLS?

    /// The host as a loss names it.
    var label: String {
        guard let name else { return "every host" }
        switch reach {
        case .itself: return port.map { "\(name):\($0)" } ?? name
        case .children: return "*.\(name)"
        case .selfAndChildren, .everything: return "\(name) and below"
        }
    }

    /// Returns true if another host is covered by this one, other than by its own name.
    func covers(_ other: PinnedHost) -> Bool {
        guard let name, let below = other.name, below != name, below.hasSuffix("." + name) else { return false }
        let depth = below.dropLast(name.count + 1).split(separator: ".").count
        return reach.depths.contains(min(depth, 2))
    }
}

extension Profile {
    /// Returns everything that is pinned, in the order of the profile: host rules, services with pins of their own, and
    /// pins for every host.
    func pinnedHosts() -> [PinnedHost] {
        let rules = hosts.map { rule in
            PinnedHost(
                name: String(rule.pattern.drop { $0 == "*" || $0 == "." }), reach: HostReach(rule), port: nil,
                sets: rule.pins, semantics: rule.semantics)
        }
        let services = environments.flatMap { environment in
            environment.pinning == .off
                ? []
                : environment.services.compactMap { service in
                    Self.own(service, in: environment)
                }
        }
        let everyone =
            pins.isEmpty
            ? [] : [PinnedHost(name: nil, reach: .everything, port: nil, sets: pins, semantics: .exact)]
        return rules + services + everyone
    }

    /// Returns the rules and services for one host.
    ///
    /// - Throws: ``InputError`` if there are none.
    func only(_ host: ServerName) throws(InputError) -> Profile {
        var profile = self
        profile.hosts = hosts.filter { $0.matches(host) }
        for index in environments.indices {
            let services = environments[index].services
            profile.environments[index].services = services.filter { $0.target.name == host }.map { service in
                // The one that it shares with may be for another host.
                guard let source = services.first(where: { $0.name == service.sharesWith }),
                    source.target.name != host
                else { return service }
                var service = service
                (service.pins, service.sharesWith) = (source.pins, nil)
                return service
            }
        }
        profile.environments.removeAll { $0.services.isEmpty }
        guard !profile.hosts.isEmpty || !profile.environments.isEmpty || !pins.isEmpty else {
            throw InputError("there are no pins for \(host) to write", remedy: "name a host that the profile pins")
        }
        return profile
    }

    /// Returns a service's own pins, as its environment has them; nil if it has none.
    static func own(_ service: Service, in environment: ProfileEnvironment) -> PinnedHost? {
        let source = service.pins.isEmpty ? environment.services.first { $0.name == service.sharesWith } : service
        guard var sets = source?.pins, !sets.isEmpty else { return nil }
        if environment.pinning == .report {
            for index in sets.indices { sets[index].isEnforced = false }
        }
        return PinnedHost(
            name: service.target.name.description, reach: .itself, port: service.target.port, sets: sets,
            semantics: .exact, startTLS: service.target.startTLS)
    }
}

/// Pinned hosts by their names, so that those around a name are found without a search through all of them.
struct PinnedHosts {
    private let byName: [String: [PinnedHost]]

    init(_ hosts: [PinnedHost]) {
        byName = Dictionary(grouping: hosts.filter { $0.name != nil }) { $0.name ?? "" }
    }

    /// Returns the hosts that another one is below, and that are for it too.
    func covering(_ host: PinnedHost) -> [PinnedHost] {
        DomainName.parents(of: host.name ?? "").flatMap { byName[$0] ?? [] }.filter { $0.covers(host) }
    }
}
