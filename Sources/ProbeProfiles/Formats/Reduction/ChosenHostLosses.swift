import ProbeKit

/// The losses where the pins of one host are chosen. That other hosts are left out was asked for, and is not a loss unless
/// the host's own rule is for names of theirs too, which then get its pins.
struct ChosenHostLosses {
    let host: ServerName
    /// The pins that the profile has for the host.
    let chosen: [PinnedHost]
    /// The same, with the reach that it has once it is written.
    let written: [PinnedHost]

    /// Returns the losses among everything that the profile pins.
    func losses(among all: [PinnedHost]) -> [FormatLoss] {
        let (index, kept) = (PinnedHosts(written), Set(chosen))
        return all.filter { !kept.contains($0) }.compactMap { other -> FormatLoss? in
            if other.name == host.description { return unreached(other) }
            let changing = index.covering(other).filter { wider in
                wider.reaches(into: other) && PinDemand.of(wider.sets) != PinDemand.of(other.sets)
            }
            guard let wider = changing.first else { return nil }
            let content = other.sets.isEmpty ? "it is exempt, by a rule which is" : "it has pins of its own, which are"
            return FormatLoss(
                "host", other.label, "\(content) left out: names there get the pins of \(wider.label)")
        }
    }

    /// Returns the losses of the rules that name the host, for names below it.
    func below(among all: [PinnedHost]) -> [FormatLoss] {
        let kept = Set(chosen)
        return all.filter { $0.name == host.description && !kept.contains($0) }.compactMap(unreached)
    }

    /// Returns the loss of a rule that names the host, and is for names below it that nothing written is for.
    private func unreached(_ rule: PinnedHost) -> FormatLoss? {
        let depths = chosen.filter { $0.name == rule.name && $0.port == nil }
            .reduce(into: Set([0])) { $0.formUnion($1.reach.depths) }
        guard !rule.sets.isEmpty, !rule.reach.depths.isSubset(of: depths) else { return nil }
        return FormatLoss("host", rule.label, "its pins for names below the host are left out")
    }
}

extension PinnedHost {
    /// Returns true if it is for a name that a host below it is for too.
    fileprivate func reaches(into other: PinnedHost) -> Bool {
        guard let name, let below = other.name else { return false }
        let depth = below.split(separator: ".").count - name.split(separator: ".").count
        return other.reach.depths.contains { reach.depths.contains(min(depth + $0, 2)) }
    }
}
