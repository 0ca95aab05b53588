import FoundationEssentials
import ProbeKit

/// A profile's content for one host, as texts that can be compared.
struct HostFacts {
    let reach: HostReach
    let sets: [PinSet]

    /// Everything about a host that is not which pins it has, by the code of its difference.
    var words: [(code: String, text: String)] {
        [
            ("subdomains", reach.rawValue),
            ("position", unique { $0.position.description }),
            ("groups", sets.count == 1 ? "one set" : "\(sets.count) sets that must all match"),
            (
                "expiry",
                unique { $0.expiry.map { "\(RFC3339.format($0.last)), then \($0.afterwards.rawValue)" } ?? "never" }
            ),
            ("pin-expiry", unique(pinExpiries)),
            ("enforcement", unique { $0.isEnforced ? "enforced" : "only reported" }),
            ("chain", unique { $0.chain.rawValue }),
            ("window", unique { $0.window.map(Self.words) ?? "none" }),
        ]
    }

    var pins: Set<Pin> { Set(sets.flatMap(\.members).map(\.pin)) }

    /// Returns the part that a format can express.
    func reduced(to format: ProfileFormat) -> HostFacts {
        guard let traits = format.traits else { return self }
        var reducer = PinSetReducer(label: "", export: FormatExport(format: format), traits: traits)
        var nearest = reach
        if case .names(let reaches, _) = traits.hosts { nearest = reach.nearest(among: reaches) }
        return HostFacts(reach: nearest, sets: reducer.reduced(sets))
    }

    private func unique(_ word: (PinSet) -> String) -> String {
        Set(sets.map(word)).sorted().joined(separator: ", ")
    }

    private func pinExpiries(_ set: PinSet) -> String {
        let expiries = set.members.compactMap { member in
            member.expires.map { "\(member.pin) until \(RFC3339.format($0))" }
        }
        return expiries.isEmpty ? "none" : expiries.sorted().joined(separator: ", ")
    }

    private static func words(_ window: TransitionWindow) -> String {
        "\(RFC3339.format(window.start)) to \(RFC3339.format(window.end)), falling back on \(window.fallback.rawValue), "
            + "skew \(window.maximumSkew) s, \(window.onMissingDate.rawValue) without a date"
    }
}
