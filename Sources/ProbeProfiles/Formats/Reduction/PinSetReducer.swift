import ProbeKit
import ProbePins
import ProbePlatform

/// Removes from the pins of one host what a format can't express.
struct PinSetReducer {
    let label: String
    let export: FormatExport
    let traits: FormatTraits
    private(set) var losses: [FormatLoss] = []

    init(label: String, export: FormatExport, traits: FormatTraits) {
        self.label = label
        self.export = export
        self.traits = traits
    }

    mutating func reduced(_ sets: [PinSet]) -> [PinSet] {
        var kept: [PinSet] = []
        // Of rivals one that is enforced is kept.
        let ordered = sets.filter(\.isEnforced) + sets.filter { !$0.isEnforced }
        for set in ordered {
            let before = losses
            guard let set = reduced(set) else { continue }
            guard let rival = kept.first(where: { isRival($0, set) }) else {
                kept.append(set)
                continue
            }
            if rival != set {
                // A set that is not written has lost nothing else.
                losses = before
                lose(
                    "group",
                    "of its sets, which must all match, only the first can be written; left out: "
                        + set.members.map(\.pin.description).joined(separator: ", "))
            }
        }
        return kept
    }

    /// Returns true if two sets can't both be written.
    private func isRival(_ left: PinSet, _ right: PinSet) -> Bool {
        switch traits.sets {
        case .one: true
        case .oneForEachPosition: left.position == right.position
        case .oneForEachEnforcement: left.isEnforced == right.isEnforced
        case .oneForEachKindAndPosition:
            left.position == right.position && left.members.first?.pin.kind == right.members.first?.pin.kind
        }
    }

    private mutating func reduced(_ set: PinSet) -> PinSet? {
        guard set.isEnforced || traits.reports else {
            lose("report-only", "a set is only reported, and the format would enforce it: it is left out")
            return nil
        }
        guard var set = inKinds(set), let position = position(of: set) else { return nil }
        if set.chain == .presented, set.position != .leaf {
            lose("chain", "the pins are looked for in the chain as presented; the format does not say which chain")
        }
        set.position = position
        set.chain = .validated
        if set.window != nil {
            lose("window", "the transition window is left out: in it, clients of this file refuse what it tolerates")
            set.window = nil
        }
        expire(&set)
        if set.members.contains(where: \.isBackup) { lose("backup", "which pins are backups is not written") }
        if set.members.contains(where: { $0.note != nil }) { lose("notes", "the notes of pins are not written") }
        for index in set.members.indices { (set.members[index].isBackup, set.members[index].note) = (false, nil) }
        return set
    }

    private mutating func inKinds(_ set: PinSet) -> PinSet? {
        var set = set
        let foreign = set.members.filter { !traits.kinds.contains($0.pin.kind) }
        if !foreign.isEmpty {
            set.members.removeAll { !traits.kinds.contains($0.pin.kind) }
            let pins = foreign.map(\.pin.description).joined(separator: ", ")
            lose(
                "kind",
                set.members.isEmpty
                    ? "a set of pins is left out, for the format has none of their kind: \(pins)"
                    : "the format has no pins of this kind, so clients refuse what only these match: \(pins)")
        }
        if case .oneForEachKindAndPosition = traits.sets, let kind = set.members.first?.pin.kind,
            set.members.contains(where: { $0.pin.kind != kind })
        {
            let others = set.members.filter { $0.pin.kind != kind }.map(\.pin.description).joined(separator: ", ")
            lose("kind", "pins of two kinds can't be alternatives in it; left out: \(others)")
            set.members.removeAll { $0.pin.kind != kind }
        }
        return set.members.isEmpty ? nil : set
    }

    private mutating func position(of set: PinSet) -> PinPosition? {
        switch traits.positions {
        case .all: return set.position
        case .unstated(let assumed):
            if set.position != assumed {
                lose(
                    "position",
                    "that pins are for '\(set.position)' is not written; \(Fix.Step.readAtPosition(set.position))"
                )
            }
            return assumed
        case .fixed(.any):
            if set.position != .any {
                lose("position", "the pins are for '\(set.position)'; written, any certificate of the chain may match")
            }
            return .any
        case .fixed(let only): return moved(set, to: only, among: [only])
        case .oneOf(let known):
            guard !known.contains(set.position), let first = known.first else { return set.position }
            return moved(set, to: export.position.flatMap { known.contains($0) ? $0 : nil } ?? first, among: known)
        }
    }

    /// Returns the position to write a set's pins at, and reports a loss if it differs: pins for any certificate may
    /// match one that is not checked. Nil if they can't be written.
    private mutating func moved(_ set: PinSet, to position: PinPosition, among known: [PinPosition]) -> PinPosition? {
        guard set.position != position else { return position }
        if set.position == .ca || set.position == .leaf {
            lose("position", "pins for '\(set.position)' are left out: the format has none")
            return nil
        }
        guard position != .any else {
            lose("position", "the pins are for '\(set.position)'; written, any certificate of the chain may match")
            return position
        }
        let choice = known.count > 1 ? "; \(Fix.Step.choosePosition)" : ""
        lose(
            "position",
            "the pins are for '\(set.position)', and are written for '\(position)': one of another certificate "
                + "never matches there\(choice)")
        return position
    }

    private mutating func expire(_ set: inout PinSet) {
        if case .perPin = traits.expiry {
            if let expiry = set.expiry {
                if expiry.afterwards == .ignore {
                    lose("expiry", "after its last day the set is not looked at; written, nothing matches any more")
                }
                for index in set.members.indices {
                    set.members[index].expires = min(set.members[index].expires ?? expiry.last, expiry.last)
                }
                set.expiry = nil
            }
            return
        }
        if set.members.contains(where: { $0.expires != nil }) {
            lose("pin-expiry", "pins stop counting on days of their own, which are not written")
            for index in set.members.indices { set.members[index].expires = nil }
        }
        guard let expiry = set.expiry else { return }
        guard case .day = traits.expiry else {
            lose("expiry", "the pins count until \(RFC3339.format(expiry.last)), and are written without an end")
            set.expiry = nil
            return
        }
        let day = ExpiryDay.instant(atOrAfter: expiry.last)
        if day != expiry.last {
            lose("expiry", "the last instant is \(RFC3339.format(expiry.last)), and \(RFC3339.format(day)) as written")
        }
        if expiry.afterwards == .fail {
            lose("expiry", "after its last day the set fails the check; written, clients stop looking at it")
        }
        set.expiry = PinGroup.Expiry(last: day, afterwards: .ignore)
    }

    private mutating func lose(_ code: String, _ message: String) {
        losses.append(FormatLoss(code, label, message))
    }
}
