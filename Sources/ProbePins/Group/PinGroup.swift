public import ProbeKit
public import ProbePlatform

/// Pins of which any one has to match, at one position of one chain. Several groups must all match (requirement 3).
public struct PinGroup: Hashable, Sendable, CustomStringConvertible {
    /// The expiry of a group or pin, and the behaviour after its last day.
    public struct Expiry: Hashable, Sendable {
        /// The behaviour of an expired group. The platforms that support an expiry stop matching silently.
        public enum Afterwards: String, Hashable, Sendable, Codable, CaseIterable {
            /// The check fails: the pins have to be renewed.
            case fail
            /// The group is ignored, with a warning.
            case ignore
        }

        /// The last instant at which the group counts.
        public let last: Date
        /// The behaviour after the last day.
        public let afterwards: Afterwards

        /// Creates an expiry.
        public init(last: Date, afterwards: Afterwards = .fail) {
            self.last = last
            self.afterwards = afterwards
        }
    }

    /// The alternatives; backups are simply further members (requirement 104).
    public let pins: [Pin]
    /// The certificates that may match.
    public let position: PinPosition
    /// The chain to search.
    public let chain: PinChain
    /// The time during which a certificate that is not the pinned one is tolerated; nil tolerates none.
    public let window: TransitionWindow?
    /// The end of the group's validity; nil never expires.
    public let expiry: Expiry?
    /// The pins that expire by themselves, with the last instant at which they count.
    public let pinExpiries: [Pin: Date]
    /// True if a mismatch fails the check; else it is a warning (report-only mode).
    public let isEnforced: Bool
    /// The pins prepared for lookup, which verdicts use for one pin or a hundred thousand.
    public let index: PinIndex
    /// The same group with the pins for one common name of the leaf alone, by that name. No verdict depends on it, and
    /// so equal groups may differ in it.
    package var named: [String: PinGroup] = [:]

    /// Creates a group.
    public init(
        _ pins: [Pin], position: PinPosition, chain: PinChain = .validated, window: TransitionWindow? = nil,
        expiry: Expiry? = nil, pinExpiries: [Pin: Date] = [:], isEnforced: Bool = true
    ) {
        self.pins = pins
        self.position = position
        self.chain = chain
        self.window = window
        self.expiry = expiry
        self.pinExpiries = pinExpiries
        self.isEnforced = isEnforced
        index = PinIndex(pins)
    }

    /// True if it pins only keys. Such groups are judged first, and vouch for a certificate in a transition.
    public var pinsKeys: Bool { index.cert == nil }

    /// Returns the group as advice about a server is by it: others' pins are neither its backups nor bound to end with it.
    ///
    /// - Parameter name: the common name of the server's leaf; nil for one without.
    package func advised(for name: String?) -> PinGroup { name.flatMap { named[$0] } ?? self }

    /// True if another path from the same leaf may have other certificates at the group's positions.
    package var dependsOnPath: Bool { chain == .validated && position.includes(index: 1) }

    /// Returns true if a pin of the group has not expired by itself.
    func counts(_ pin: Pin, at second: Date) -> Bool { second <= pinExpiries[pin] ?? .distantFuture }

    /// Returns true if the group has a pin that has not expired.
    func hasPins(at second: Date) -> Bool {
        pinExpiries.isEmpty ? !pins.isEmpty : pins.contains { counts($0, at: second) }
    }

    /// Returns the pin of the group that a certificate has, if any.
    func pin(of digests: CertificateDigests, at second: Date) -> Pin? {
        index.match(digests) { pinExpiries.isEmpty || counts($0, at: second) }
    }

    /// The kinds in the group and the position, like `spki@any`.
    public var description: String {
        let kinds = PinKind.allCases.filter { index[$0] != nil }
        return kinds.map(\.rawValue).joined(separator: "+") + "@\(position)"
    }
}

extension PinGroup {
    /// Returns true if all properties are equal that a verdict depends on; the index follows from the pins.
    public static func == (left: PinGroup, right: PinGroup) -> Bool {
        left.pins == right.pins && left.position == right.position && left.chain == right.chain
            && left.window == right.window && left.expiry == right.expiry && left.pinExpiries == right.pinExpiries
            && left.isEnforced == right.isEnforced
    }

    /// Hashes the parts that nearly always differ.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pins)
        hasher.combine(position)
    }
}
