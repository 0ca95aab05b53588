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
        let (left, right) = (Self.hosts(first.profile), Self.hosts(second.profile))
        let names = Set(left.keys).union(right.keys).sorted()
        return names.flatMap { compare(left[$0], right[$0], $0) } + profileDrifts()
    }

    /// Returns the facts by host: several rules for one name act as one for a client.
    private static func hosts(_ profile: Profile) -> [String: HostFacts] {
        var hosts: [String: HostFacts] = [:]
        for host in profile.pinnedHosts() {
            let name = host.name ?? host.label
            guard let known = hosts[name] else {
                hosts[name] = HostFacts(reach: host.reach, sets: host.sets)
                continue
            }
            hosts[name] = HostFacts(
                reach: HostReach(known.reach.depths.union(host.reach.depths)) ?? known.reach,
                sets: known.sets + host.sets.filter { !known.sets.contains($0) })
        }
        return hosts
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
        return drifts
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
        facts.sets.isEmpty ? "not pinned" : facts.pins.map(\.description).sorted().joined(separator: ", ")
    }
}

/// A profile's content for one host, as texts that can be compared.
struct HostFacts {
    let reach: HostReach
    let sets: [PinSet]

    /// All facts about a host beside its pins, by the code of their difference.
    var words: [(code: String, text: String)] {
        [
            ("subdomains", reach.rawValue),
            ("position", unique { $0.position.description }),
            ("groups", sets.count == 1 ? "one set" : "\(sets.count) sets that must all match"),
            (
                "expiry",
                unique { $0.expiry.map { "\(RFC3339.format($0.last)), then \($0.afterwards.rawValue)" } ?? "never" }
            ),
            ("pin-expiry", unique(pinExpiries)),
            ("enforcement", unique { $0.isEnforced ? "enforced" : "only reported" }),
            ("chain", unique { $0.chain.rawValue }),
            ("window", unique { $0.window.map(Self.words) ?? "none" }),
        ]
    }

    var pins: Set<Pin> { Set(sets.flatMap(\.members).map(\.pin)) }

    /// Returns the part that a format can express.
    func reduced(to format: ProfileFormat) -> HostFacts {
        guard let traits = format.traits else { return self }
        var reducer = PinSetReducer(label: "", export: FormatExport(format: format), traits: traits)
        var nearest = reach
        if case .names(let reaches, _) = traits.hosts { nearest = reach.nearest(among: reaches) }
        return HostFacts(reach: nearest, sets: reducer.reduced(sets))
    }

    private func unique(_ word: (PinSet) -> String) -> String {
        Set(sets.map(word)).sorted().joined(separator: ", ")
    }

    private func pinExpiries(_ set: PinSet) -> String {
        let expiries = set.members.compactMap { member in
            member.expires.map { "\(member.pin) until \(RFC3339.format($0))" }
        }
        return expiries.isEmpty ? "none" : expiries.sorted().joined(separator: ", ")
    }

    private static func words(_ window: TransitionWindow) -> String {
        "\(RFC3339.format(window.start)) to \(RFC3339.format(window.end)), falling back on \(window.fallback.rawValue), "
            + "skew \(window.maximumSkew) s, \(window.onMissingDate.rawValue) without a date"
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
