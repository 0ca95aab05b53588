import ProbeClients
import ProbeKit
import ProbePlatform

/// The days to come for a fleet, kept with a watched target's verdict as JSON.
struct WatchedFleetForecast: Codable, Hashable, Sendable {
    /// An instant with what is different from then on.
    struct Moment: Codable, Hashable, Sendable {
        let date: Date
        /// The cause; nil on the first day.
        let cause: String?
        /// The share of users in percent that connects.
        let connecting: Double
        let outcome: Outcome
        /// The clients that connected at the moment before and don't any more.
        let lost: [String]
    }

    /// The service of a profile.
    let service: String?
    /// The end of what holds today.
    let end: Date?
    let moments: [Moment]

    init(_ service: String?, _ forecast: FleetForecast) {
        self.service = service
        end = forecast.end
        var before: Set<String> = []
        moments = forecast.moments.map { moment in
            let rows = moment.reading.rows.map(\.result)
            let lost = rows.filter { !$0.connects && before.contains($0.client.name) }
            before = Set(rows.filter(\.connects).map(\.client.name))
            return Moment(
                date: moment.date, cause: moment.cause, connecting: moment.reading.connecting,
                outcome: moment.reading.outcome, lost: lost.map(\.client.name))
        }
    }
}
