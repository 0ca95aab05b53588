/// The DNSSEC validation that an answer needs before it counts.
public enum DNSSECPolicy: String, Sendable, Codable, CaseIterable {
    /// Signatures are ignored.
    case off
    /// A bogus answer does not count, an unsigned one does.
    case prefer
    /// Only a validated answer counts; the shipped app of requirement 17 asks for this.
    case require

    /// The place in the order of strictness.
    public var rank: Int {
        switch self {
        case .off: 0
        case .prefer: 1
        case .require: 2
        }
    }
}
