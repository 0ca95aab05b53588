import ProbeKit
public import ProbePlatform

/// A fleet's share that connects to the server as it is, on the days to come.
public struct FleetForecast: Sendable {
    /// An instant with the reading from then on.
    public struct Moment: Sendable {
        /// The instant.
        public let date: Date
        /// The cause; nil on the first day.
        public let cause: String?
        /// The reading.
        public let reading: FleetReading
    }

    /// The instants, in order.
    public let moments: [Moment]

    /// Creates the forecast of a fleet's members.
    public init(_ fleet: Fleet, _ moments: [ClientForecast.Moment]) {
        self.moments = moments.map {
            Moment(date: $0.date, cause: $0.cause, reading: FleetReading(fleet, $0.results))
        }
    }

    /// The first instant at which fewer connect than today, or fewer than the fleet's minimum if it has one: now if they
    /// do already, and the end of the leaf at the latest. Nil if the chain holds for no known time.
    public var end: Date? {
        guard let first = moments.first else { return nil }
        return moments.first { moment in
            first.reading.minimum == nil
                ? moment.reading.connecting + FleetReading.tolerance < first.reading.connecting
                : !moment.reading.outcome.isPass
        }?.date
    }
}
