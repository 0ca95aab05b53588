import ProbeKit

/// Writes TrustKit's configuration.
enum TrustKitWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), expiry: .day, hosts: .names([.itself, .everything], repeats: false),
        reports: true, exempts: true, unlistedHost: .system, overlap: .trustkit)

    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8] {
        var domains: [String: PropertyValue] = [:]
        for host in pinned {
            guard let name = host.name else { continue }
            guard let set = host.sets.first else {
                domains[name] = .dictionary([TrustKitKey.exempt: .flag(true)])
                continue
            }
            if set.isEnforced, Set(set.members.map(\.pin)).count < 2 {
                losses.append(
                    FormatLoss(
                        "too-few-pins", host.label, "TrustKit refuses to start with fewer than two pins: add a backup"))
            }
            var domain: [String: PropertyValue] = [
                TrustKitKey.hashes: .list(set.members.map { .text($0.pin.digest.base64) })
            ]
            if host.reach != .itself { domain[TrustKitKey.subdomains] = .flag(true) }
            if !set.isEnforced { domain[TrustKitKey.enforce] = .flag(false) }
            if let expiry = set.expiry { domain[TrustKitKey.expiry] = .text(ExpiryDay.format(expiry.last)) }
            domains[name] = .dictionary(domain)
        }
        return try PropertyList.write(["TSKConfiguration": .dictionary(["TSKPinnedDomains": .dictionary(domains)])])
    }
}
