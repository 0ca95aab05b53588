import ProbeKit

/// The losses where two rules are for one name, which platforms weigh differently.
enum OverlapLosses {
    static func of(_ hosts: [PinnedHost], _ traits: FormatTraits) -> [FormatLoss] {
        guard case .names = traits.hosts else { return [] }
        let index = PinnedHosts(hosts)
        return hosts.filter { !$0.sets.isEmpty || traits.exempts }.flatMap { narrower in
            index.covering(narrower).filter { isWeighedOtherwise($0, narrower, traits) }.map { wider in
                FormatLoss(
                    "overlap", narrower.label,
                    "\(wider.label) is for it too: \(narrower.weighed(beside: wider).weighing), and once written "
                        + (traits.reaches(narrower, from: wider) ? traits.overlap.weighing : "its own count alone"))
            }
        }
    }

    /// Returns true if two rules for one name have another effect once they are written.
    private static func isWeighedOtherwise(
        _ wider: PinnedHost, _ narrower: PinnedHost, _ traits: FormatTraits
    ) -> Bool {
        let read = narrower.weighed(beside: wider)
        // A rule that is not for the name leaves its own alone.
        let written = traits.reaches(narrower, from: wider) ? traits.overlap : .android
        guard read.weighing != written.weighing else { return false }
        // Rules that demand the same demand it together too, whether they are united or all have to match.
        guard PinDemand.of(wider.sets) != PinDemand.of(narrower.sets) else { return false }
        let sets = wider.sets + narrower.sets
        // Pins that are all for one position are one set for Apple as for OkHttp.
        if read.unites, written.unites { return Set(sets.map(\.position)).count > 1 }
        // Sets that differ in more than their pins may be alike once they are written.
        guard Set(sets.map { PinDemand($0).frame }).count <= 1 else { return true }
        return PinDemand.of(read.effect(wider.sets, narrower.sets))
            != PinDemand.of(written.effect(wider.sets, narrower.sets))
    }
}

extension FormatTraits {
    /// Returns true if a rule for wider names is for a name among them still, with the reach that it has once it is written.
    fileprivate func reaches(_ narrower: PinnedHost, from wider: PinnedHost) -> Bool {
        guard case .names(let reaches, _) = hosts else { return false }
        var written = wider
        written.reach = wider.reach.nearest(among: reaches)
        return written.covers(narrower)
    }
}

extension PinnedHost {
    /// Returns the way in which its pins combine with those of a wider rule: a service's own count alone, and rules of two
    /// platforms both.
    fileprivate func weighed(beside wider: PinnedHost) -> HostSemantics {
        if port != nil { return .android }
        return semantics == wider.semantics ? semantics : .exact
    }
}

extension HostSemantics {
    /// The effect of several rules for one name.
    fileprivate var weighing: String {
        switch self {
        case .exact: "both rules have to match"
        case .ats: "a leaf pin of either rule does, and a CA pin of either"
        case .android, .trustkit: "the longer rule counts alone"
        case .okhttp: "a pin of either rule does"
        }
    }

    /// Returns the sets that hold for a name that both rules are for.
    fileprivate func effect(_ wider: [PinSet], _ narrower: [PinSet]) -> [PinSet] {
        switch self {
        case .android, .trustkit: narrower
        case .exact, .ats, .okhttp: combined([wider, narrower])
        }
    }
}
