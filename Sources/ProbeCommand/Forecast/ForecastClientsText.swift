import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeReport

/// The forecast of clients for people: a line for each instant, and who stops connecting then, why, and the fix.
struct ForecastClientsText {
    let clients: ForecastClients
    let style: Style
    /// The most clients of one reason that are named.
    private static let named = 8

    /// Returns the lines of each service, by its label.
    func lines(_ services: [ServiceMoments]) -> [String: [String]] {
        Dictionary(services.map { ($0.service, lines($0.moments)) }) { first, _ in first }
    }

    private func lines(_ moments: [ClientForecast.Moment]) -> [String] {
        var lines: [String] = []
        var before: [String: ClientReason] = [:]
        for moment in moments {
            let (head, outcome) = (head(moment), clients.outcome(moment))
            lines += wrapped("  " + head, hanging: 6).map { style.outcome(outcome, $0) }
            let reading = FleetReading(clients.fleet, moment.results)
            // Nobody outlives the leaf, and what was said of a client before is not said again.
            guard moment.event != .certificateExpires else { continue }
            let new = reading.rows.filter { before[$0.result.client.name] != ClientReason($0.result) }
            for (reason, rows) in new.byReason {
                lines += wrapped("      \(names(rows)) \(reason.words(rows.count))", hanging: 8)
                if !reason.fix.isEmpty { lines += wrapped("        fix: \(reason.fix)", hanging: 13) }
            }
            for row in reading.rows { before[row.result.client.name] = ClientReason(row.result) }
        }
        return lines
    }

    private func head(_ moment: ClientForecast.Moment) -> String {
        let (date, words) = (RFC3339.format(moment.date), clients.words(moment))
        guard let cause = moment.cause else { return "on \(date): \(words)" }
        return "from \(date): \(words); \(PrintableText.escape(cause))"
    }

    private func names(_ rows: [FleetReading.Row]) -> String {
        let names = rows.prefix(Self.named).map { row in
            row.result.client.name + (clients.isFleet ? " (\(FleetShare.text(row.share)) %)" : "")
        }
        let rest = rows.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private func wrapped(_ text: String, hanging: Int) -> [String] {
        TextWrap(columns: 80).lines(text, hanging: hanging)
    }
}
