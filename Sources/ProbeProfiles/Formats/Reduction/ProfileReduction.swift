import ProbeKit

/// Removes from a profile what a format can't express, and reports each loss: nothing is lost silently, and nothing
/// that is only reported becomes enforced.
struct ProfileReduction {
    private let profile: Profile
    private let export: FormatExport
    private let traits: FormatTraits
    private(set) var losses: [FormatLoss] = []

    init(_ profile: Profile, _ export: FormatExport, _ traits: FormatTraits) {
        self.profile = profile
        self.export = export
        self.traits = traits
    }

    /// Returns the remaining content, host by host.
    ///
    /// - Throws: ``InputError`` if the format has no names and the profile several.
    mutating func pinnedHosts() throws(InputError) -> [PinnedHost] {
        let chosen = try chosen()
        var pinned = chosen
        losses += ScopeLosses.of(profile, export, traits)
        losses += OverlapLosses.of(pinned, traits)
        pinned = mergedNames(pinned.compactMap { reduced($0) })
        losses += besideHost(chosen, pinned)
        let (exempt, rest) = (pinned.filter(\.sets.isEmpty), pinned.filter { !$0.sets.isEmpty })
        let wider = PinnedHosts(rest)
        let pointless = Set(exempt.filter { wider.covering($0).isEmpty })
        for host in exempt where pointless.contains(host) {
            lose("exemption", host.label, "it has no pins, and is not listed")
        }
        return pinned.filter { !pointless.contains($0) }
    }

    // MARK: Hosts

    private mutating func chosen() throws(InputError) -> [PinnedHost] {
        let all = profile.pinnedHosts()
        guard let host = export.host else {
            guard case .none = traits.hosts else { return all }
            for exempt in all where exempt.sets.isEmpty {
                lose("exemption", exempt.label, "it has no pins, which a list of pins can't say")
            }
            return try onlyOne(all.filter { !$0.sets.isEmpty })
        }
        let own = all.filter { $0.name == host.description && $0.port != nil }
        let ruled = profile.hosts.pins(for: host) ?? (profile.pins.isEmpty ? nil : profile.pins)
        guard own.isEmpty else {
            if let ruled, !ruled.isEmpty, own.contains(where: { PinDemand.of($0.sets) != PinDemand.of(ruled) }) {
                lose("host", host.description, "what is pinned at ports without a service is left out")
            }
            guard case .none = traits.hosts else { return own }
            return try onlyOnePort(own, of: host)
        }
        guard let sets = ruled, !sets.isEmpty else {
            throw InputError("there are no pins for \(host) to write", remedy: "name a host that the profile pins")
        }
        // A rule with exactly that name keeps its content for the names below.
        let rules = all.filter { $0.name == host.description }
        let kept = rules.count == 1 && rules[0].sets == sets ? rules[0] : nil
        return [
            PinnedHost(
                name: host.description, reach: kept?.reach ?? .itself, port: nil, sets: sets,
                semantics: kept?.semantics ?? .exact)
        ]
    }

    /// Returns the losses of other hosts than the chosen one, and of names below it: lists of pins are read for that host alone.
    private func besideHost(_ chosen: [PinnedHost], _ pinned: [PinnedHost]) -> [FormatLoss] {
        guard let host = export.host else { return [] }
        guard let reach = pinned.first?.reach else {
            return ChosenHostLosses(host: host, chosen: chosen, written: chosen).below(among: profile.pinnedHosts())
        }
        let written = chosen.map { host in
            var host = host
            host.reach = reach
            return host
        }
        return ChosenHostLosses(host: host, chosen: chosen, written: written).losses(among: profile.pinnedHosts())
    }

    private func onlyOne(_ all: [PinnedHost]) throws(InputError) -> [PinnedHost] {
        guard all.count <= 1 else {
            let labels = all.map(\.label).prefix(8).joined(separator: ", ")
            throw InputError(
                "\(export.format.rawValue) names no host, and there are pins of several: \(labels)",
                remedy: "\(Fix.Step.chooseHost)")
        }
        return all
    }

    /// Rejects pins of several ports: in a list of pins any of them would match for every port.
    private func onlyOnePort(_ own: [PinnedHost], of host: ServerName) throws(InputError) -> [PinnedHost] {
        guard own.allSatisfy({ $0.sets == own[0].sets }) else {
            throw InputError(
                "\(export.format.rawValue) names no port, and the pins differ: \(own.map(\.label).joined(separator: ", "))",
                remedy: "leave one service of \(host) in the profile, or choose a format that names hosts")
        }
        return [own[0]]
    }

    private mutating func reduced(_ host: PinnedHost) -> PinnedHost? {
        var host = host
        let label = host.label
        guard !host.sets.isEmpty || traits.exempts else {
            lose("exemption", label, "it has no pins, whatever wider rules say; the format has no exceptions")
            return nil
        }
        if case .names(let reaches, _) = traits.hosts {
            guard host.name != nil else {
                lose(
                    "every-host", label, "the format needs hosts: these pins are left out; \(Fix.Step.nameHosts)")
                return nil
            }
            host.reach = nearest(host.reach, among: reaches, label)
            if let port = host.port, !traits.hasPorts {
                if port != 443 {
                    lose("ports", label, "the pins hold for port \(port), and are written for every port")
                }
                host.port = nil
            } else if host.port == nil, traits.hasPorts {
                lose("ports", label, "the pins hold for every port, and are written for 443")
                host.port = 443
            }
        } else if let name = host.name {
            if export.host == nil {
                let isPinned = host.reach.depths.contains(0)
                lose(
                    "host", label,
                    "the format names no host; "
                        + (isPinned
                            ? "\(Fix.Step.readForHost(name.description))"
                            : "read it back for each name below \(name) by itself"))
            }
            // It is read back for one host, or without one that is pinned for each name by itself.
            host.reach = nearest(
                host.reach, among: host.reach.depths.contains(0) ? traits.unnamedReaches : [.itself], label)
        }
        guard !host.sets.isEmpty else { return host }
        var reducer = PinSetReducer(label: label, export: export, traits: traits)
        host.sets = reducer.reduced(host.sets)
        losses += reducer.losses
        guard !host.sets.isEmpty else {
            lose("unpinned", label, "no pin of it can be written: clients of this file would not pin it")
            return nil
        }
        if isWidened(host) {
            lose(
                "public-suffix", label,
                "TrustKit does not pin names below it that have a public suffix of their own; written, they are pinned")
        }
        return host
    }

    /// Returns true if a rule of TrustKit's leaves out names that the format's rule reaches.
    private func isWidened(_ host: PinnedHost) -> Bool {
        guard host.semantics == .trustkit, traits.overlap != .trustkit, host.reach != .itself, let name = host.name
        else { return false }
        return export.publicSuffixes?.hasSuffixes(below: name) ?? false
    }

    private mutating func nearest(_ reach: HostReach, among reaches: [HostReach], _ label: String) -> HostReach {
        let nearest = reach.nearest(among: reaches)
        guard nearest != reach else { return reach }
        let unpinned = reach.depths.subtracting(nearest.depths)
        let added = nearest.depths.subtracting(reach.depths)
        var words: [String] = []
        if unpinned.contains(1) {
            words.append("names below it are not pinned")
        } else if unpinned.contains(2) {
            words.append("names more than one label below it are not pinned")
        }
        if added.contains(0) { words.append("the host itself is pinned too") }
        if added.contains(1) || added.contains(2) { words.append("names further below it are pinned too") }
        lose("subdomains", label, "the pins are for \(reach.rawValue); written, \(words.joined(separator: " and "))")
        return nearest
    }

    /// Merges the rules of a name, for formats that list a name once.
    private mutating func mergedNames(_ hosts: [PinnedHost]) -> [PinnedHost] {
        guard case .names(let reaches, let repeats) = traits.hosts else { return hosts }
        struct Key: Hashable {
            let name: String?
            let port: UInt16?
            let reach: HostReach?
        }
        var merged: [PinnedHost] = []
        var indices: [Key: Int] = [:]
        for host in hosts {
            let key = Key(name: host.name, port: host.port, reach: repeats ? host.reach : nil)
            guard let index = indices[key] else {
                indices[key] = merged.count
                merged.append(host)
                continue
            }
            var known = merged[index]
            let depths = known.reach.depths.union(host.reach.depths)
            let reach = HostReach(depths)?.nearest(among: reaches) ?? known.reach
            if known.sets == host.sets {
                known.reach = reach
            } else if known.sets.count == 1, host.sets.count == 1, let first = known.sets.first,
                let second = host.sets.first, first.isLike(second)
            {
                if !(known.semantics.unites && known.semantics == host.semantics && known.reach == host.reach) {
                    lose("merged", host.label, "it has pins in several places, of which any now does")
                }
                let pins = first.members.map(\.pin)
                known.sets[0].members += second.members.filter { !pins.contains($0.pin) }
                known.reach = reach
            } else if !known.sets.contains(where: \.isEnforced), host.sets.contains(where: \.isEnforced) {
                lose(
                    "merged", host.label,
                    known.reach.depths.isSubset(of: host.reach.depths)
                        ? "it has pins in several places that differ; those that are enforced are written"
                        : "it has pins in several places that differ; those that are enforced are written, and what is reported for names below it is left out"
                )
                // With the names that they are enforced for: what others have was only reported, and stays so.
                (known.sets, known.reach, known.semantics) = (host.sets, host.reach, host.semantics)
            } else {
                lose("merged", host.label, "it has pins in several places that differ; the first ones are written")
            }
            merged[index] = known
        }
        return merged
    }

    private mutating func lose(_ code: String, _ subject: String, _ message: String) {
        losses.append(FormatLoss(code, subject, message))
    }
}
