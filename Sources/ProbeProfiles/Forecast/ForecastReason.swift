import FoundationEssentials
import ProbeKit

/// The reason for an event's result. The policies' messages about supposed digests would mean nothing to a reader.
struct ForecastReason {
    let text: String

    init(_ finding: Finding, _ group: PinGroup, _ entry: ForecastEntry) {
        switch finding.code {
        case "pin-matched": text = finding.message
        case "transition":
            let end = group.window.map { RFC3339.format($0.end) } ?? ""
            text = "\(Self.missing(group, entry.event)), which the window tolerates until \(end)"
        case "no-alternate-key":
            text = "\(Self.missing(group, entry.event)), and the window tolerates only keys that are pinned"
        case "pins-expired":
            text =
                finding.severity == .error
                ? "the pins have expired and the check wants them renewed"
                : "the pins have expired: clients stop looking, and nothing is pinned"
        case "pin-mismatch-reported": text = "\(Self.missing(group, entry.event)), which is only reported"
        case "pin-mismatch":
            text = Self.missing(group, entry.event) + Self.window(group, at: entry.instant)
        default: text = finding.message
        }
    }

    private static func missing(_ group: PinGroup, _ event: ForecastEvent) -> String {
        if !group.pinsKeys, event == .replacedBeforeExpiry {
            return "the pinned certificate has ended, and no server can meet the pin until a release has another"
        }
        return switch event.change {
        case .none: "no pin is of the chain as it is"
        case _ where !group.pinsKeys: "the certificate is not the pinned one any more"
        case .sameKey: "no pin is of the chain, whose keys are those of today"
        case .backupKey: "the set has no pin of the backup's key"
        case .newKey: "the leaf's new key is not pinned, and nothing above it is"
        case .newIntermediate: "neither the new leaf nor the new intermediate is pinned, and no root is"
        case .newRoot: "nothing of the new chain is pinned"
        }
    }

    private static func window(_ group: PinGroup, at instant: Date) -> String {
        guard let window = group.window, !window.contains(instant) else { return "" }
        return instant < window.start
            ? "; its window begins on \(RFC3339.day(window.start))" : "; its window ended on \(RFC3339.day(window.end))"
    }
}
