import ProbeKit

/// The metrics of a target's lookup, by the names of blackbox_exporter.
enum AddressMetrics {
    static func add(_ target: TargetAddress, service: String? = nil, to metrics: inout MetricSet) {
        metrics.add(
            "probe_dns_lookup_time_seconds", "The time of the target's lookup, in seconds.", ["service": service],
            value: target.duration.inSeconds)
        metrics.add(
            "probe_ip_protocol", "The version of IP that was dialled: 4 or 6; 0 without an address.",
            ["service": service],
            value: target.address.map { $0.isIPv6 ? 6 : 4 } ?? 0)
        metrics.add(
            "probe_ip_addr_hash", "A hash of the address that was dialled, which shows when it changes.",
            ["service": service],
            value: target.address.map { Double(hash($0)) } ?? 0)
    }

    /// FNV-1a of 32 bits.
    private static func hash(_ address: IPAddress) -> UInt32 {
        (address.mapped ?? address).bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
