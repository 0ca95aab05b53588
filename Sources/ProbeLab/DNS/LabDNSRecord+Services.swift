public import ProbeKit

/// Records that lead to a service.
extension LabDNSRecord {
    /// Returns an address.
    public static func address(_ address: IPAddress, owner: DNSName? = nil) -> LabDNSRecord {
        LabDNSRecord(owner: owner, type: address.isIPv6 ? 28 : 1, data: address.bytes)
    }

    /// Returns a server of a service (RFC 2782).
    public static func srv(
        _ priority: UInt16, _ weight: UInt16 = 0, port: UInt16, _ target: DNSName, owner: DNSName? = nil
    ) -> LabDNSRecord {
        LabDNSRecord(owner: owner, type: 33, data: word(priority) + word(weight) + word(port) + target.wireBytes)
    }

    /// Returns a mail host.
    public static func mx(_ preference: UInt16, _ host: DNSName, owner: DNSName? = nil) -> LabDNSRecord {
        LabDNSRecord(owner: owner, type: 15, data: word(preference) + host.wireBytes)
    }

    /// Returns a service binding of HTTPS (RFC 9460).
    ///
    /// - Parameter parameters: the keys and their values, in the order in which they are sent.
    public static func https(
        _ priority: UInt16, _ target: DNSName, _ parameters: [(key: UInt16, value: [UInt8])] = [],
        owner: DNSName? = nil
    ) -> LabDNSRecord {
        let sent = parameters.flatMap { word($0.key) + word(UInt16($0.value.count)) + $0.value }
        return LabDNSRecord(owner: owner, type: 65, data: word(priority) + target.wireBytes + sent)
    }
}
