import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeProfiles

/// A row of a forecast as one JSON object on one line, in the schema `probe-forecast/1`.
struct ForecastLine: Encodable {
    let schema = "probe-forecast/1"
    let service: String
    let event: String
    @Always var date: String?
    @Always var frequency: String?
    let platform: String
    let result: ForecastRow.Result
    let reason: String
    @Always var outcome: Outcome?
    @Always var connecting: Double?
    @Always var refusing: Double?
    @Always var undecided: Double?
    @Always var minimum: Double?
    @Always var clients: [FleetLine.Row]?

    init(_ row: ForecastRow) {
        service = row.service
        event = row.event.rawValue
        date = row.date.map(RFC3339.format)
        frequency = row.frequency
        platform = row.platform
        result = row.result
        reason = row.reason
        outcome = nil
        connecting = nil
        refusing = nil
        undecided = nil
        minimum = nil
        clients = nil
    }

    /// Creates the row of shipped clients at an instant.
    init(_ service: String, _ moment: ClientForecast.Moment, _ judges: ForecastClients) {
        let reading = FleetReading(judges.fleet, moment.results)
        let outcome = judges.outcome(moment)
        self.service = service
        event = moment.event.rawValue
        date = RFC3339.format(moment.date)
        frequency = nil
        platform = "clients"
        result = Self.result(reading, outcome)
        reason = judges.words(moment)
        self.outcome = outcome
        connecting = judges.isFleet ? FleetLine.rounded(reading.connecting) : nil
        refusing = judges.isFleet ? FleetLine.rounded(reading.refusing) : nil
        undecided = judges.isFleet ? FleetLine.rounded(reading.undecided) : nil
        minimum = reading.minimum
        clients = reading.rows.map { FleetLine.Row($0, share: judges.isFleet ? $0.share : nil) }
    }

    /// Returns the result of all clients together: a refusal that the minimum has room for is a warning.
    private static func result(_ reading: FleetReading, _ outcome: Outcome) -> ForecastRow.Result {
        if reading.refusing == 0, reading.undecided == 0 { return .passes }
        if outcome.isPass { return .passesWithWarning }
        return outcome == .clientsLost || reading.refusing > 0 ? .fails : .depends
    }
}
