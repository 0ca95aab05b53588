import ProbeKit

/// Writes Apple's `NSPinnedDomains`, to be merged into an Info.plist.
enum AppleWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .oneOf([.leaf, .ca]), sets: .oneForEachPosition,
        hosts: .names([.itself, .selfAndChildren], repeats: false), unlistedHost: .system, overlap: .ats)

    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8] {
        var domains: [String: PropertyValue] = [:]
        for host in pinned {
            guard let name = host.name else { continue }
            var domain: [String: PropertyValue] = [:]
            if host.reach != .itself { domain[AppleKey.subdomains] = .flag(true) }
            for set in host.sets {
                domain[set.position == .ca ? AppleKey.authority : AppleKey.leaf] = .list(
                    set.members.map { .dictionary([AppleKey.digest: .text($0.pin.digest.base64)]) })
            }
            domains[name] = .dictionary(domain)
        }
        return try PropertyList.write([
            AppleKey.security: .dictionary([AppleKey.domains: .dictionary(domains)])
        ])
    }
}
