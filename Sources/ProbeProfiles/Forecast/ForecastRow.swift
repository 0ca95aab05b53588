public import FoundationEssentials
import ProbeKit

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
