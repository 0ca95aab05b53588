import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeReport

/// A forecast as text: a table for each service, events as rows and platforms as columns, followed by the reasons for
/// everything that does not simply pass.
struct ForecastText {
    let style: Style

    /// - Parameter clients: the lines of shipped clients, by the service's label.
    func text(_ rows: [ForecastRow], at instant: Date, clients: [String: [String]] = [:]) -> String {
        var services: [String] = []
        for row in rows where !services.contains(row.service) { services.append(row.service) }
        let lifetime =
            "a leaf issued on \(RFC3339.day(instant)) by a public CA lasts at most \(LeafLifetime.days(issuedAt: instant)) days"
        let later = LeafLifetime.schedule.filter { $0.from > RFC3339.day(instant) }.map { "\($0.days) from \($0.from)" }
        let schedule = ([lifetime] + later).joined(separator: ", ")
        return
            (services.map { service in
                ([table(service, rows.filter { $0.service == service })] + (clients[service] ?? [])).joined(
                    separator: "\n")
            } + [style.dim(schedule)])
            .joined(separator: "\n\n")
    }

    private func table(_ service: String, _ rows: [ForecastRow]) -> String {
        var platforms: [String] = []
        var entries: [(event: ForecastEvent, date: Date?)] = []
        for row in rows {
            if !platforms.contains(row.platform) { platforms.append(row.platform) }
            if !entries.contains(where: { $0.event == row.event && $0.date == row.date }) {
                entries.append((row.event, row.date))
            }
        }
        let cells = entries.map { entry in
            let own = rows.filter { $0.event == entry.event && $0.date == entry.date }
            let when = own.first.flatMap { $0.date.map(RFC3339.format) ?? $0.frequency } ?? ""
            return [entry.event.rawValue]
                + platforms.map { platform in own.first { $0.platform == platform }?.result.rawValue ?? "" } + [when]
        }
        let table = TextTable(columns: ["EVENT"] + platforms.map { $0.uppercased() } + ["WHEN"], rows: cells)
        let reasons = Self.reasons(rows.filter { $0.result != .passes })
        return ([style.bold(PrintableText.escape(service)), table.text] + reasons).joined(separator: "\n")
    }

    /// Returns each reason once, with the events that have it.
    private static func reasons(_ rows: [ForecastRow]) -> [String] {
        var order: [String] = []
        var events: [String: [String]] = [:]
        for row in rows {
            let reason = "\(row.platform) \(row.result.rawValue): \(row.reason)"
            if events[reason] == nil { order.append(reason) }
            events[reason, default: []].append(row.event.rawValue)
        }
        return order.map { "  \((events[$0] ?? []).joined(separator: ", ")): \($0)" }
    }
}
