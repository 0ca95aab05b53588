public import FoundationEssentials

public import ProbeKit
/// Pins of which any one has to match, at one position of one chain. Several groups must all match (requirement 3).
public struct PinGroup: Hashable, Sendable, CustomStringConvertible {
    /// What becomes of a group, or of a pin, after its last day.
    public struct Expiry: Hashable, Sendable {
        /// Whether an expired group still has to match. The platforms that know an expiry stop looking, and say nothing.
        public enum Afterwards: String, Hashable, Sendable, Codable, CaseIterable {
            /// The check fails: the pins have to be renewed.
            case fail
            /// The group is not looked at any more, with a warning.
            case ignore
        }

        /// The last instant at which the group counts.
        public let last: Date
        /// What becomes of it afterwards.
        public let afterwards: Afterwards

        /// An expiry of its parts.
        public init(last: Date, afterwards: Afterwards = .fail) {
            self.last = last
            self.afterwards = afterwards
        }
    }

    /// The alternatives; backups are simply further members (requirement 104).
    public let pins: [Pin]
    /// Which certificates may match.
    public let position: PinPosition
    /// Which chain is searched.
    public let chain: PinChain
    /// When a certificate that is not the pinned one is tolerated; nil tolerates none.
    public let window: TransitionWindow?
    /// Until when the group counts; nil is for ever.
    public let expiry: Expiry?
    /// The pins that stop counting by themselves, with the last instant at which they do.
    public let pinExpiries: [Pin: Date]
    /// Whether a mismatch fails the check; else it is a warning (report-only mode).
    public let isEnforced: Bool
    /// The pins made ready to be looked up, which is how verdicts compare them, one or a hundred thousand.
    public let index: PinIndex

    /// A group of its parts.
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

    /// Whether it pins keys alone. Such groups are judged first, and vouch for a certificate in a transition (decision K8).
    public var pinsKeys: Bool { index.cert == nil }

    /// Whether another path from the same leaf may have other certificates where the group looks.
    var dependsOnPath: Bool { chain == .validated && position.includes(index: 1) }

    /// Whether a pin of the group has not expired by itself.
    func counts(_ pin: Pin, at second: Date) -> Bool { second <= pinExpiries[pin] ?? .distantFuture }

    /// Whether any pin is left that has not.
    func hasPins(at second: Date) -> Bool {
        pinExpiries.isEmpty ? !pins.isEmpty : pins.contains { counts($0, at: second) }
    }

    /// The pin of the group that a certificate has, if any.
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
    /// Whether all parts are equal; the index follows from the pins.
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
