import FoundationEssentials

/// An event with the instant at which it is judged.
struct ForecastEntry {
    let event: ForecastEvent
    /// The instant of the judgement.
    let instant: Date
    /// The time of the event, to the second; nil if unknown.
    let date: Date?

    init(_ event: ForecastEvent, at instant: Date, date: Date? = nil) {
        self.event = event
        self.instant = instant
        self.date = date
    }

    /// Creates an event that happens at an instant and is judged then.
    init(_ event: ForecastEvent, on instant: Date) {
        self.init(event, at: instant, date: instant)
    }
}
