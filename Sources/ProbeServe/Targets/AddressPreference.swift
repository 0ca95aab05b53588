import ProbeKit

/// The kind of address to dial, of those that a name has.
struct AddressPreference: Hashable, Sendable {
    enum Version: String, Sendable, CaseIterable {
        case ip4, ip6
    }

    /// The preferred kind.
    var version: Version = .ip6
    /// True if the other one is dialled where the name has none of that kind.
    var isOptional = true

    /// Returns the first address of the preferred kind, else of the other.
    func choose(among addresses: [IPAddress]) -> IPAddress? {
        addresses.first { $0.isIPv6 == (version == .ip6) } ?? (isOptional ? addresses.first : nil)
    }
}
