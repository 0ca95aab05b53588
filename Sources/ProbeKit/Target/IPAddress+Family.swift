extension IPAddress {
    /// A family of addresses.
    public enum Family: String, Hashable, Sendable, CaseIterable {
        /// IPv4.
        case ipv4 = "IPv4"
        /// IPv6.
        case ipv6 = "IPv6"

        /// Returns true if an address is of this family.
        public func includes(_ address: IPAddress) -> Bool { address.isIPv6 == (self == .ipv6) }
    }
}
