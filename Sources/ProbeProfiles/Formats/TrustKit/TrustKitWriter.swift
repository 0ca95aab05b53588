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
            guard name.contains("."), IPAddress(name) == nil else {
                losses.append(
                    FormatLoss("address", host.label, "TrustKit refuses to start with it; it is left out"))
                continue
            }
            guard let set = host.sets.first else {
                if host.reach != .itself {
                    losses.append(
                        FormatLoss(
                            "subdomains", host.label,
                            "names below it are exempt too; written, only the host itself is"))
                }
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
        guard !domains.isEmpty else { return [] }
        losses += nestingLosses(pinned)
        return try PropertyList.write([
            TrustKitKey.configuration: .dictionary([TrustKitKey.domains: .dictionary(domains)])
        ])
    }

    /// Returns the losses of nested rules: of two wider ones TrustKit takes the first in its dictionary. Rules read
    /// from such a file are unchanged.
    private static func nestingLosses(_ pinned: [PinnedHost]) -> [FormatLoss] {
        let wide = pinned.filter { $0.reach == .everything && !$0.sets.isEmpty }
        let sets = Dictionary(wide.compactMap { host in host.name.map { ($0, host.sets) } }) { first, _ in first }
        return wide.compactMap { host in
            guard let name = host.name, host.semantics != .trustkit,
                DomainName.parents(of: name).contains(where: { sets[$0].map { $0 != host.sets } ?? false })
            else { return nil }
            return FormatLoss(
                "overlap", host.label,
                "a wider rule is for names below it too, and TrustKit takes whichever of the two it meets first")
        }
    }
}
