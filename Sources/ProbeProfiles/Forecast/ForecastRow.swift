import ProbeKit
import ProbePins
public import ProbePlatform

/// The forecast for one kind of client of one service and one event.
public struct ForecastRow: Hashable, Sendable {
    /// The client's reaction.
    public enum Result: String, Hashable, Sendable, Codable {
        /// It works.
        case passes
        /// It works with a warning: a window tolerates it, or nothing is pinned any more.
        case passesWithWarning = "passes-with-warning"
        /// It refuses the server.
        case fails
        /// It depends on which certificates the pins match, which only a chain can show.
        case depends
    }

    /// The service's label in the profile.
    public let service: String
    /// The event.
    public let event: ForecastEvent
    /// The date of the event; nil if unknown.
    public let date: Date?
    /// The frequency of the event; nil if its date is what counts.
    public let frequency: String?
    /// The judging platform: `ats`, `android`, `trustkit`, `okhttp`, `curl`, or the kind that the app's own code pins:
    /// `spki`, `rawkey`, `certificate`.
    public let platform: String
    /// The result.
    public let result: Result
    /// The reason.
    public let reason: String

    /// Creates a row.
    public init(
        service: String, event: ForecastEvent, date: Date?, frequency: String?, platform: String, result: Result,
        reason: String
    ) {
        self.service = service
        self.event = event
        self.date = date
        self.frequency = frequency
        self.platform = platform
        self.result = result
        self.reason = PrintableText.escape(reason)
    }
}

/// The reason for an event's result. The policies' messages about supposed digests would mean nothing to a reader.
struct ForecastReason {
    let text: String

    init(_ finding: Finding, _ group: PinGroup, _ entry: ForecastEntry, _ chain: ForecastChain) {
        let missing = Self.missing(group, entry, chain)
        switch finding.code {
        case "pin-matched": text = finding.message
        case "transition":
            let end = group.window.map { RFC3339.format($0.end) } ?? ""
            text = "\(missing), which the window tolerates until \(end)"
        case "no-alternate-key":
            text = "\(missing), and the window tolerates only keys that are pinned"
        case "pins-expired":
            text =
                finding.severity == .error
                ? "the pins have expired and the check wants them renewed"
                : "the pins have expired: clients stop looking, and nothing is pinned"
        case "pin-mismatch-reported": text = "\(missing), which is only reported"
        case "pin-mismatch":
            text = missing + Self.window(group, at: entry.instant)
        default: text = finding.message
        }
    }

    private static func missing(_ group: PinGroup, _ entry: ForecastEntry, _ chain: ForecastChain) -> String {
        if !group.pinsKeys, entry.event == .replacedBeforeExpiry, chain.exhausts(group, at: entry.instant) {
            return "the pinned certificate has ended, and no server can meet the pin until a release has another"
        }
        // A client may have a set for the leaf and another for its CAs.
        let (isOfLeaf, isOfCAs) = (group.position == .leaf, group.position == .ca)
        let pin = isOfLeaf ? "leaf pin" : isOfCAs ? "CA pin" : "pin"
        return switch entry.change {
        case .none: "no \(pin) is of the chain as it is"
        case _ where !group.pinsKeys: "the certificate is not the pinned one any more"
        case .sameKey, .pinnedSuccessor: "no \(pin) is of the chain, whose keys are those of today"
        case .backupKey where isOfCAs, .newKey where isOfCAs: "no CA pin is of the chain, whose CAs are those of today"
        case .newKey where isOfLeaf, .newIntermediate where isOfLeaf: "the leaf's new key is not pinned"
        case .newIntermediate where isOfCAs: "the new intermediate is not pinned, and no root is"
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
