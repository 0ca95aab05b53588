public import FoundationEssentials
import ProbeKit

/// What one kind of client of one service will make of one event.
public struct ForecastRow: Hashable, Sendable {
    /// What a client does.
    public enum Result: String, Hashable, Sendable, Codable {
        /// It goes on.
        case passes
        /// It goes on, and something should be done: a window tolerates it, or nothing is pinned any more.
        case passesWithWarning = "passes-with-warning"
        /// It refuses the server.
        case fails
        /// It depends on which certificates the pins are of, which only a chain can tell.
        case depends
    }

    /// The service's label in the profile.
    public let service: String
    /// What happens.
    public let event: ForecastEvent
    /// When it happens; nil if nobody knows.
    public let date: Date?
    /// How often it happens; nil if the date is what counts.
    public let frequency: String?
    /// Who judges: `ats`, `android`, `trustkit`, `okhttp`, `curl`, or what the app's own code pins: `spki`, `rawkey`,
    /// `certificate`.
    public let platform: String
    /// What becomes of it.
    public let result: Result
    /// Why.
    public let reason: String

    /// A row of its parts.
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
