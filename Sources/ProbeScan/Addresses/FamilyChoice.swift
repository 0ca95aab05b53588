public import ProbeKit

/// The families of addresses that are dialled.
public enum FamilyChoice: String, CaseIterable, Sendable {
    /// IPv4 alone.
    case ipv4 = "4"
    /// IPv6 alone.
    case ipv6 = "6"
    /// Each of them, with a verdict of its own.
    case both

    /// The families, each with a verdict.
    public var families: [IPAddress.Family] {
        switch self {
        case .ipv4: [.ipv4]
        case .ipv6: [.ipv6]
        case .both: IPAddress.Family.allCases
        }
    }

    /// The family, if it is one alone.
    var only: IPAddress.Family? { families.count == 1 ? families.first : nil }
}
