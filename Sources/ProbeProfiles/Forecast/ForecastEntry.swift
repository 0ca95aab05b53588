import FoundationEssentials

/// An event with the instant at which it is judged.
struct ForecastEntry {
    let event: ForecastEvent
    /// When it is judged.
    let instant: Date
    /// When it happens, to the second; nil if nobody knows.
    let date: Date?

    init(_ event: ForecastEvent, at instant: Date, date: Date? = nil) {
        self.event = event
        self.instant = instant
        self.date = date
    }

    /// An event that happens at an instant and is judged then.
    init(_ event: ForecastEvent, on instant: Date) {
        self.init(event, at: instant, date: instant)
    }
}
