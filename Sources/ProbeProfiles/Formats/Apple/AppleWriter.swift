import ProbeKit

/// Writes Apple's `NSPinnedDomains`, to be merged into an Info.plist.
enum AppleWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .oneOf([.leaf, .ca]), sets: .oneForEachPosition,
        hosts: .names([.itself, .selfAndChildren], repeats: false), unlistedHost: .system, overlap: .ats)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var domains: [String: Any] = [:]
        for host in pinned {
            guard let name = host.name else { continue }
            var domain: [String: Any] = [:]
            if host.reach != .itself { domain[AppleKey.subdomains] = true }
            for set in host.sets {
                domain[set.position == .ca ? AppleKey.authority : AppleKey.leaf] = set.members.map {
                    [AppleKey.digest: $0.pin.digest.base64]
                }
            }
            domains[name] = domain
        }
        return PropertyList.write(["NSAppTransportSecurity": ["NSPinnedDomains": domains]])
    }
}
