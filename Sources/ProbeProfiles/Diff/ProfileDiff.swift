import ProbeKit
import ProbePins
import ProbePlatform

/// Compares two profiles host by host: drift, and differences that are due to the formats.
public struct ProfileDiff: Sendable {
    /// One side of a comparison.
    public struct Side: Sendable {
        /// The profile.
        public let profile: Profile
        /// The format of its file, which may not be able to express all that the other can.
        public let format: ProfileFormat

        /// Creates a side.
        public init(_ profile: Profile, format: ProfileFormat) {
            self.profile = profile
            self.format = format
        }
    }

    private let first: Side
    private let second: Side

    /// Creates a comparison of two profiles.
    public init(_ first: Side, _ second: Side) {
        self.first = first
        self.second = second
    }

    /// Returns the differences, host by host in the order of their names; empty if there are none.
    public func drifts() -> [ProfileDrift] {
        let (ours, theirs) = (HostFactsIndex(first.profile), HostFactsIndex(second.profile))
        let byHost: [ProfileDrift] = ours.names.union(theirs.names).sorted().flatMap { name in
            let depths = ours.depths(of: name).union(theirs.depths(of: name))
            return compare(ours.facts(of: name, at: depths), theirs.facts(of: name, at: depths), name)
        }
        return byHost + portDrifts() + serviceDrifts() + profileDrifts()
    }

    /// Returns the ports of a host that one side alone has pins of its own for, and those that have exchanged theirs, where
    /// both formats name ports.
    private func portDrifts() -> [ProfileDrift] {
        guard [first, second].allSatisfy({ $0.format.traits?.hasPorts ?? true }) else { return [] }
        let (ours, theirs) = (Self.ports(first.profile), Self.ports(second.profile))
        return ours.keys.sorted().flatMap { name -> [ProfileDrift] in
            guard let left = ours[name], let right = theirs[name] else { return [] }
            // Pins that one side alone has are shown for the host.
            let areExchanged = Set(left.keys) == Set(right.keys) && Set(left.values) == Set(right.values)
            return Set(left.keys).union(right.keys).sorted().compactMap { port in
                let (first, second) = (left[port], right[port])
                guard first == nil || second == nil || areExchanged && first != second else { return nil }
                return ProfileDrift(
                    code: "host", severity: .drift, subject: "\(name):\(port)", first: first, second: second)
            }
        }
    }

    /// Returns the pins that the ports of each host have of their own: there they count alone.
    private static func ports(_ profile: Profile) -> [String: [UInt16: String]] {
        let hosts = profile.pinnedHosts().filter { $0.port != nil && !$0.sets.isEmpty }
        return Dictionary(grouping: hosts) { $0.name ?? "" }.mapValues { hosts in
            Dictionary(grouping: hosts) { $0.port ?? 0 }.mapValues { text($0.flatMap(\.sets)) }
        }
    }

    private func compare(_ left: HostFacts?, _ right: HostFacts?, _ name: String) -> [ProfileDrift] {
        guard let left, let right, left.sets.isEmpty == right.sets.isEmpty else {
            return [
                ProfileDrift(
                    code: "host", severity: .drift, subject: name, first: left.map(Self.pinned),
                    second: right.map(Self.pinned))
            ]
        }
        let (mapped, mappedBack) = (left.reduced(to: second.format), right.reduced(to: first.format))
        var drifts = pinDrifts(left, right, name)
        for (index, (code, text)) in left.words.enumerated() where text != right.words[index].text {
            let isAlike = mapped.words[index].text == right.words[index].text || mappedBack.words[index].text == text
            drifts.append(
                ProfileDrift(
                    code: code, severity: isAlike ? .platform : .drift, subject: name, first: text,
                    second: right.words[index].text))
        }
        if let severity = arrangement(left, right, beside: drifts) {
            drifts.append(
                ProfileDrift(
                    code: "groups", severity: severity, subject: name, first: left.arranged, second: right.arranged))
        }
        return drifts
    }

    /// Returns how serious it is that what is alike in every part is arranged otherwise, like the pins of the leaf and those of the
    /// CA; nil if it is not. Beside differences that are due to the formats only the places of pins are compared. If one concerns
    /// these, a name may have the pins of another as well, since a format that has one rule for both merges them.
    private func arrangement(
        _ left: HostFacts, _ right: HostFacts, beside drifts: [ProfileDrift]
    ) -> ProfileDrift.Severity? {
        guard !drifts.isEmpty else {
            let (ours, theirs) = (left.arrangement(HostFacts.text), right.arrangement(HostFacts.text))
            guard ours != theirs else { return nil }
            let isMerged =
                left.merged(for: second.format).arrangement(HostFacts.text) == theirs
                || right.merged(for: first.format).arrangement(HostFacts.text) == ours
            return isMerged ? .platform : .drift
        }
        guard drifts.allSatisfy({ $0.severity == .platform }) else { return nil }
        guard !Self.places.isDisjoint(with: drifts.map(\.code)) else {
            return left.arrangement(HostFacts.place) == right.arrangement(HostFacts.place) ? nil : .drift
        }
        guard differ(left, right) else { return nil }
        let isMerged =
            !differ(left.merged(for: second.format), right) || !differ(left, right.merged(for: first.format))
        return isMerged ? .platform : .drift
    }

    /// Returns true if names that both sides pin have other ones of the pins that both sides have.
    private func differ(_ left: HostFacts, _ right: HostFacts) -> Bool {
        let shared = left.pins.intersection(right.pins)
        let theirs = right.pinsByDepth
        return left.pinsByDepth.contains { depth, pins in
            theirs[depth].map { pins.intersection(shared) != $0.intersection(shared) } ?? false
        }
    }

    /// The codes of differences in which pins hold where.
    private static let places: Set<String> = ["pins", "subdomains", "position", "groups"]

    /// Returns the differences of services that both have, and that several of one host would hide from a client which looks
    /// pins up by host.
    private func serviceDrifts() -> [ProfileDrift] {
        let (left, right) = (Self.services(first.profile), Self.services(second.profile))
        return left.keys.filter { left[$0]?.target == right[$0]?.target }.sorted().compactMap { name in
            guard let left = left[name], let right = right[name], left.pins != right.pins,
                Self.isShared(left.target, in: first.profile)
            else { return nil }
            return ProfileDrift(code: "groups", severity: .drift, subject: name, first: left.pins, second: right.pins)
        }
    }

    /// Returns where each service of a profile is, and its pins as a text.
    private static func services(_ profile: Profile) -> [String: (target: Target, pins: String)] {
        let all = profile.environments.flatMap { environment in
            environment.services.map { service in
                (
                    (environment.name.map { "\($0)/" } ?? "") + service.name,
                    (target: service.target, pins: pins(of: service, in: environment))
                )
            }
        }
        return Dictionary(all) { first, _ in first }
    }

    private static func pins(of service: Service, in environment: ProfileEnvironment) -> String {
        guard environment.pinning != .off, let own = Profile.own(service, in: environment) else { return "not pinned" }
        return own.sets.map(HostFacts.text).sorted().joined(separator: "; ")
    }

    private static func isShared(_ target: Target, in profile: Profile) -> Bool {
        profile.environments.flatMap(\.services).count { $0.target.name == target.name } > 1
    }

    private func pinDrifts(_ left: HostFacts, _ right: HostFacts, _ name: String) -> [ProfileDrift] {
        func severity(_ pin: Pin, in format: ProfileFormat) -> ProfileDrift.Severity {
            format.traits?.kinds.contains(pin.kind) ?? true ? .drift : .platform
        }
        let ours = left.pins.subtracting(right.pins).map { pin in
            ProfileDrift(
                code: "pins", severity: severity(pin, in: second.format), subject: name, first: pin.description,
                second: nil)
        }
        let theirs = right.pins.subtracting(left.pins).map { pin in
            ProfileDrift(
                code: "pins", severity: severity(pin, in: first.format), subject: name, first: nil,
                second: pin.description)
        }
        return (ours + theirs).sorted { ($0.first ?? "", $0.second ?? "") < ($1.first ?? "", $1.second ?? "") }
    }

    private func profileDrifts() -> [ProfileDrift] {
        let (left, right) = (first.profile.unlistedHost, second.profile.unlistedHost)
        guard left != right else { return [] }
        let isFixed = first.format.traits?.unlistedHost == left || second.format.traits?.unlistedHost == right
        return [
            ProfileDrift(
                code: "unlisted-host", severity: isFixed ? .platform : .drift, subject: "hosts that are not listed",
                first: left.rawValue, second: right.rawValue)
        ]
    }

    private static func pinned(_ facts: HostFacts) -> String {
        facts.sets.isEmpty ? "not pinned" : text(facts.sets)
    }

    private static func text(_ sets: [PinSet]) -> String {
        Set(sets.flatMap(\.members).map(\.pin)).map(\.description).sorted().joined(separator: ", ")
    }
}

/// One difference between two profiles.
public struct ProfileDrift: Hashable, Sendable, Encodable {
    /// The severity of a difference.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The files differ in something that both could express.
        case drift
        /// One of the formats can't express what the other does; the files are as similar as they can be.
        case platform
    }

    /// The kind of difference: `host`, `pins`, `subdomains`, `position`, `groups`, `expiry`, `pin-expiry`,
    /// `enforcement`, `chain`, `window` or `unlisted-host`.
    public let code: String
    /// The severity: whether it has to be fixed.
    public let severity: Severity
    /// The host, or another subject.
    public let subject: String
    /// The first profile's value; nil if it has none.
    public let first: String?
    /// The second profile's value; nil if it has none.
    public let second: String?

    private enum CodingKeys: CodingKey { case code, severity, subject, first, second }

    /// Writes every key, null for a missing value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(severity, forKey: .severity)
        try container.encode(subject, forKey: .subject)
        try container.encode(first, forKey: .first)
        try container.encode(second, forKey: .second)
    }
}
