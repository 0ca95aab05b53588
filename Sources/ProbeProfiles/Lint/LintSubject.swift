import ProbeKit
import ProbePins
import ProbePlatform

/// A profile prepared for rules: each pin set and service with its path.
struct LintSubject {
    /// A pin set with its place.
    struct PlacedSet {
        let set: PinSet
        let path: String
        /// The host rule it belongs to; nil for a service's own and for those of every host.
        let rule: HostRule?
        /// True if a mismatch fails, by the set and by its environment.
        let isEnforced: Bool

        /// The place of its list, every set of which has to match.
        var list: Substring { path.prefix(upTo: path.lastIndex(of: "[") ?? path.endIndex) }
    }

    /// A service with its place.
    struct PlacedService {
        let service: Service
        let environment: ProfileEnvironment
        let path: String
        let label: String
        /// The pins of its clients; empty if nothing is pinned.
        let clients: [ServicePins]

        /// The service's pin sets, once each; empty if pinning is off.
        var sets: [PinSet] {
            guard environment.pinning != .off else { return [] }
            var sets: [PinSet] = []
            for set in clients.flatMap(\.sets) where !sets.contains(set) { sets.append(set) }
            return sets
        }

        /// Returns the platform whose rules a set is of; nil for one that the app's own code looks at.
        func platform(of set: PinSet) -> HostSemantics? {
            clients.lazy.filter { $0.sets.contains(set) }.compactMap { client -> HostSemantics? in
                if case .rules(let semantics) = client.source { semantics } else { nil }
            }.first
        }
    }

    let profile: Profile
    let instant: Date
    let facts: LintFacts
    /// The format of the file, whose words advice is given in.
    let format: ProfileFormat
    let sets: [PlacedSet]
    let services: [PlacedService]
    /// The profile's host rules.
    let hosts: HostRuleIndex
    private let placesBySet: [PinSet: [PlacedSet]]
    private let setsByList: [Substring: [PinSet]]

    init(_ profile: Profile, at instant: Date, facts: LintFacts, format: ProfileFormat) {
        self.profile = profile
        self.format = format
        self.instant = instant
        self.facts = facts
        var sets: [PlacedSet] = []
        var services: [PlacedService] = []
        func place(_ pins: [PinSet], in path: String, rule: HostRule? = nil, isEnforced: Bool = true) {
            for (index, set) in pins.enumerated() {
                let path = path.isEmpty ? "pins[\(index)]" : "\(path).pins[\(index)]"
                sets.append(PlacedSet(set: set, path: path, rule: rule, isEnforced: isEnforced && set.isEnforced))
            }
        }
        place(profile.pins, in: "")
        for (index, rule) in profile.hosts.enumerated() { place(rule.pins, in: "hosts[\(index)]", rule: rule) }
        for environment in profile.environments {
            for service in environment.services {
                let path = Self.path(of: environment).map { "\($0).services." } ?? "services."
                place(service.pins, in: path + service.name, isEnforced: environment.pinning == .enforce)
                let label = environment.label(of: service)
                services.append(
                    PlacedService(
                        service: service, environment: environment, path: path + service.name, label: label,
                        clients: ServicePins.advised(
                            of: service, in: environment, of: profile, seeing: facts.chains[label])))
            }
        }
        self.sets = sets
        self.services = services
        hosts = HostRuleIndex(profile.hosts)
        placesBySet = Dictionary(grouping: sets, by: \.set)
        setsByList = Dictionary(grouping: sets, by: \.list).mapValues { $0.map(\.set) }
    }

    /// Returns advice in the words of the file's format.
    func fix(_ advice: FormatAdvice) -> String { advice.text(in: format) }

    /// Returns advice about a set in the words of the file's format, as far as a platform can follow it. Pins of other kinds
    /// than a platform's are for the app's own code.
    func fix(_ advice: FormatAdvice, for set: PinSet, on platform: HostSemantics?) -> String {
        advice.text(in: format, on: set.hasOnlySPKI ? platform : nil)
    }

    /// Returns the sets that have to match together with one, itself among them.
    func siblings(of placed: PlacedSet) -> [PinSet] { setsByList[placed.list] ?? [] }

    /// Returns the path of an environment; nil for the services of a profile without environments.
    static func path(of environment: ProfileEnvironment) -> String? {
        environment.name.map { "environments.\($0)" }
    }

    /// Returns the path of a set of a service: its own, else that of a rule for its host.
    func path(of set: PinSet, in service: PlacedService) -> String {
        let places = placesBySet[set] ?? []
        let place =
            places.first { $0.path.hasPrefix(service.path + ".") }
            ?? places.first { $0.rule?.matches(service.service.target.name) ?? false }
        return (place ?? places.first)?.path ?? service.path
    }
}

/// The position in a served chain at which a pin of a set matches, by the same policy as checks.
struct ServedPin {
    /// The matching certificate's place in the chain, the leaf being 0.
    let depth: Int
    /// The matching certificate's name.
    let name: String
    /// The policy's finding if the match alone is not enough: it is on no valid path, or not on all deciding ones.
    let reservation: Finding?
    /// True if a check passes with it.
    var passes: Bool { reservation?.severity != .error }

    private static let reservations: Set<String> = ["pin-not-validated", "paths-differ"]

    /// Creates the position; nil if the pin does not match.
    init?(_ pin: Pin, of set: PinSet, in connection: ConnectionEvidence) {
        let alone = PinGroup([pin], position: set.position, chain: set.chain)
        let findings = PinsMatch([alone]).judge(Evidence(connection: connection, model: nil), at: connection.instant)
        reservation = findings.first { Self.reservations.contains($0.code) }
        guard reservation != nil || findings.contains(where: { $0.code == "pin-matched" }) else { return nil }
        let places = connection.chains(set.chain, by: .both).flatMap { $0.indices.enumerated() }
        let place = places.first { depth, index in
            set.position.includes(index: depth)
                && (try? connection.certificates[index].digests.get())?[pin.kind] == pin.digest
        }
        guard let place else { return nil }
        depth = place.offset
        name = connection.certificates[place.element].name
    }
}
