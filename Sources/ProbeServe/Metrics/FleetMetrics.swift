import ProbeClients
import ProbeKit
import ProbePlatform

/// The metrics of a fleet: the shares of its users, as ratios, and each client's verdict.
enum FleetMetrics {
    static func add(_ reading: FleetReading, _ service: String?, to metrics: inout MetricSet) {
        metrics.add(
            "probe_fleet_connecting_ratio", "The share of a fleet that connects.", ["service": service],
            value: reading.connecting / 100)
        metrics.add(
            "probe_fleet_undecided_ratio", "The share of a fleet of which nothing is known.", ["service": service],
            value: reading.undecided / 100)
        if let minimum = reading.minimum {
            metrics.add(
                "probe_fleet_minimum_ratio", "The share of a fleet that has to connect.", ["service": service],
                value: minimum / 100)
        }
        // A client of which nothing is known has no sample: zero would be a refusal.
        for row in reading.rows where row.result.connects || !row.result.isUndecided {
            metrics.add(
                "probe_client_success", "Whether a client of the fleet connects; without a sample it is not known.",
                ["service": service, "client": row.result.client.name], holds: row.result.connects)
        }
    }

    static func add(_ forecast: FleetForecast, _ service: String?, to metrics: inout MetricSet) {
        guard let end = forecast.end else { return }
        metrics.add(
            "probe_fleet_end_timestamp_seconds",
            "When fewer of a fleet connect to the server as it is: than have to, or than today where no share has to.",
            ["service": service], value: end.timeIntervalSince1970)
    }
}
