import ProbeKit

/// Keeps pins for common names apart in the formats whose clients look pins up by these, and reports their loss in all
/// others.
struct CommonNameReduction {
    private let profile: Profile
    private let export: FormatExport
    private let writer: any FormatWriter.Type

    init(_ profile: Profile, _ export: FormatExport, _ writer: any FormatWriter.Type) {
        self.profile = profile
        self.export = export
        self.writer = writer
    }

    /// Returns the remaining content, host by host. Pins for common names are for all hosts, and come last.
    ///
    /// - Throws: ``InputError`` if nothing is left to write.
    func pinnedHosts(losses: inout [FormatLoss]) throws(InputError) -> [PinnedHost] {
        guard writer.looksUpByCommonName else {
            let pinned = try reduced(profile, losses: &losses)
            if pinned.flatMap(\.sets).contains(where: \.hasCommonNames) {
                losses.append(
                    FormatLoss(
                        "common-name", "the pins",
                        "the common names that they are for are not written: clients of this file take any"))
            }
            return pinned
        }
        let listed = profile.pins.filter { $0.members.allSatisfy { $0.commonName != nil } }
        guard !listed.isEmpty else { return try reduced(profile, losses: &losses) }
        var rest = profile
        rest.pins.removeAll(where: listed.contains)
        var pinned: [PinnedHost] = []
        if isForHost(rest) {
            pinned = try reduced(rest, losses: &losses)
        } else {
            losses += ScopeLosses.of(rest, export, writer.traits)
        }
        var reducer = PinSetReducer(label: "every host", export: export, traits: writer.traits)
        let sets = reducer.reduced(listed)
        losses += reducer.losses
        guard !sets.isEmpty else { return pinned }
        return pinned + [PinnedHost(name: nil, reach: .everything, port: nil, sets: sets, semantics: .exact)]
    }

    /// Returns true if a profile has something for the host whose pins are written.
    private func isForHost(_ profile: Profile) -> Bool {
        guard let host = export.host else { return true }
        return !profile.pins.isEmpty || profile.hosts.contains { $0.matches(host) }
            || profile.pinnedHosts().contains { $0.name == host.description && $0.port != nil }
    }

    private func reduced(_ profile: Profile, losses: inout [FormatLoss]) throws(InputError) -> [PinnedHost] {
        var reduction = ProfileReduction(profile, export, writer.traits)
        let pinned = try reduction.pinnedHosts()
        losses += reduction.losses
        return pinned
    }
}
