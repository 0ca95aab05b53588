import ProbeClients
import ProbeKit
import ProbeReport

/// The fleets of a watched target: today's verdicts, and the days to come.
extension StatusPage {
    /// The fleets' verdicts: the share that connects, and the clients, those that don't connect first.
    func fleets(_ state: WatchedState, _ name: String) -> String {
        (state.fleets ?? []).map { fleet in
            let clients =
                fleet.clients.filter { !$0.verdict.outcome.isPass } + fleet.clients.filter(\.verdict.outcome.isPass)
            let demand = fleet.minimum.map { ", and \(FleetShare.text($0)) % have to" } ?? ""
            let of = HTMLText.escape(fleet.service.map { " to \($0)" } ?? "")
            let rows = clients.map { row($0.verdict, share: $0.share) }
            return
                "<details><summary>\(FleetShare.text(fleet.connecting)) % of the users connect\(of)\(demand)</summary>"
                + table("Verdicts of \(name)\(of) by client", ["Client", "Users", "Verdict", "Why"], rows)
                + "</details>"
        }.joined()
    }

    /// The days to come: when and why clients stop connecting to the server as it is.
    func fleetForecasts(_ state: WatchedState, _ name: String) -> String {
        (state.fleetForecasts ?? []).map { forecast in
            let of = HTMLText.escape(forecast.service.map { " to \($0)" } ?? "")
            let rows = forecast.moments.map { moment in
                let mark = moment.outcome.isPass ? "pass" : "fail"
                let lost = moment.lost.isEmpty ? "nobody" : moment.lost.joined(separator: ", ")
                let cells = [
                    "<span class=\"mark \(mark)\">\(FleetShare.text(moment.connecting)) %</span>",
                    HTMLText.escape(moment.cause ?? "as it is now"), HTMLText.escape(lost),
                ]
                return "<tr><th scope=\"row\">\(time(moment.date))</th>"
                    + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
            }
            return "<details><summary>\(until(forecast, of))</summary>"
                + table("The days to come of \(name)\(of)", ["From", "Connect", "Why", "Who stops"], rows)
                + "</details>"
        }.joined()
    }

    /// The time for which as many connect as today, or as have to.
    private func until(_ forecast: WatchedFleetForecast, _ of: String) -> String {
        guard let today = forecast.moments.first, let end = forecast.end else { return "The days to come" }
        guard end > today.date else { return "Too few of the users connect\(of) already" }
        return "\(FleetShare.text(today.connecting)) % of the users connect\(of), and enough of them until \(time(end))"
    }
}
