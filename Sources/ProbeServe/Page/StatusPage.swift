import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeReport

/// The page for people: the watched targets, failures first, then the last probes. It has no script, and nothing from
/// elsewhere.
struct StatusPage {
    let plan: WatchPlan
    let board: WatchBoard
    let history: [ProbeHistory.Entry]
    let now: Date
    /// The targets whose last round gave no verdict.
    var late: LateTargets?

    var text: String {
        let known = plan.items.map { ($0, board[$0]) }
        let failing = known.filter { $0.1?.isSuccess == false }
        let order = failing + known.filter { $0.1?.isSuccess != false }
        let title = known.isEmpty ? "probe" : "\(failing.count) of \(known.count) fail - probe"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>\(PageStyle.text)</style>
            </head><body>
            <a class="skip" href="#probes">Skip to the last probes</a>
            <header><h1>probe</h1>
            <nav aria-label="More"><a href="metrics">Metrics</a> <a href="config">Configuration</a></nav></header>
            <main>
            \(known.isEmpty ? "" : watched(order, failing.count))
            \(probes)
            </main></body></html>

            """
    }

    // MARK: The watched targets

    private func watched(_ items: [(WatchPlan.Item, WatchedState?)], _ failing: Int) -> String {
        let summary =
            failing == 0
            ? "All \(items.count) targets pass or were not asked yet." : "\(failing) of \(items.count) targets fail."
        return """
            <section aria-labelledby="targets"><h2 id="targets">Targets</h2>
            <p>\(summary) They are asked every \(Self.words(plan.every)).</p>
            \(items.map(article).joined(separator: "\n"))
            </section>
            """
    }

    private func article(_ item: WatchPlan.Item, _ state: WatchedState?) -> String {
        let name = HTMLText.escape(item.name)
        // A target may be watched by several modules, and each table has a name of its own.
        let label = "\(name) (\(HTMLText.escape(item.module)))"
        let module = "<span class=\"module\">\(HTMLText.escape(item.module))</span>"
        guard let state else {
            return "<article><h3><span class=\"mark\">new</span> \(name) \(module)</h3>"
                + "\(lateness(item, "No verdict yet") ?? "<p>Not asked yet.</p>")</article>"
        }
        let mark = state.isSuccess ? "<span class=\"mark pass\">pass</span>" : "<span class=\"mark fail\">fail</span>"
        let reason = state.reason.map { "<p>\(HTMLText.escape($0))</p>" } ?? ""
        return """
            <article class="\(state.isSuccess ? "pass" : "fail")"><h3>\(mark) \(name) \(module)</h3>
            <p>Asked \(time(state.checkedAt)).</p>\(lateness(item, "No verdict since") ?? "")\(reason)
            \(stacks(state, label))\(fleets(state, label))\(fixes(state))\(certificates(state, label))\
            \(forecast(state, label))\(fleetForecasts(state, label))\(changes(state, label))
            </article>
            """
    }

    /// The reason why a target's last round gave no verdict; nil if it gave one.
    private func lateness(_ item: WatchPlan.Item, _ words: String) -> String? {
        late?[item].map { "<p>\(words), for this machine could not ask: \(HTMLText.escape($0))</p>" }
    }

    private func stacks(_ state: WatchedState, _ name: String) -> String {
        guard !state.stacks.isEmpty else { return "" }
        return table("Verdicts of \(name) by stack", ["Stack", "Verdict", "Why"], state.stacks.map { row($0) })
    }

    func row(_ stack: WatchedState.Stack, share: Double? = nil) -> String {
        let mark = stack.outcome.isPass ? "pass" : "fail"
        let finding = [stack.code, stack.message].compactMap(\.self).joined(separator: ": ")
        return "<tr><th scope=\"row\">\(HTMLText.escape(stack.name))</th>"
            + (share.map { "<td>\(FleetShare.text($0)) %</td>" } ?? "")
            + "<td><span class=\"mark \(mark)\">\(stack.outcome.rawValue)</span></td>"
            + "<td>\(HTMLText.escape(finding))</td></tr>"
    }

    /// The next rotation: what each change of the certificates would do.
    private func forecast(_ state: WatchedState, _ name: String) -> String {
        guard let forecast = state.forecast, !forecast.isEmpty else { return "" }
        let rows = forecast.map { row in
            let mark =
                switch row.result {
                case .passes, .passesWithWarning: "pass"
                case .fails, .depends: "fail"
                }
            let when = row.date.map(time) ?? HTMLText.escape(row.frequency ?? "now")
            let cells = [
                "<span class=\"mark \(mark)\">\(Self.words(row.result.rawValue))</span>", when,
                HTMLText.escape(row.platform), HTMLText.escape(row.service), HTMLText.escape(row.reason),
            ]
            return "<tr><th scope=\"row\">\(Self.words(row.event.rawValue))</th>"
                + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        let failing = Set(forecast.filter { $0.result == .fails }.map(\.event)).count
        let count = Set(forecast.map(\.event)).count
        let words = failing == 0 ? "none of \(count) changes fails" : "\(failing) of \(count) changes fail"
        return "<details><summary>The next rotation: \(words)</summary>"
            + table(
                "The next rotation of \(name)", ["Change", "Result", "When", "Platform", "Service", "Why"], rows)
            + "</details>"
    }

    private static func words(_ code: String) -> String { code.replacing("-", with: " ") }

    private func fixes(_ state: WatchedState) -> String {
        var seen: Set<String> = []
        let verdicts = state.stacks + (state.fleets ?? []).flatMap(\.clients).map(\.verdict)
        return verdicts.compactMap(\.fix).filter { !$0.isEmpty && seen.insert($0).inserted }
            .map { "<p class=\"fix\"><strong>Fix:</strong> \(HTMLText.escape($0))</p>" }.joined()
    }

    /// The chain on a time line: from the first beginning to the last end, with today's line on every bar.
    private func certificates(_ state: WatchedState, _ name: String) -> String {
        guard let first = state.certificates.map(\.notBefore).min(), let last = state.certificates.map(\.notAfter).max()
        else { return "" }
        let (start, end) = (min(first, now), max(last, now))
        func percent(_ date: Date) -> Double {
            let whole = max(1, end.timeIntervalSince(start))
            return ((date.timeIntervalSince(start) / whole) * 1000).rounded() / 10
        }
        let rows = state.certificates.map { certificate in
            let (from, to) = (percent(certificate.notBefore), percent(certificate.notAfter))
            let remaining = certificate.notAfter.timeIntervalSince(now)
            let days = DurationText.days(remaining)
            let left = remaining < 0 ? "expired \(days) ago" : "\(days) left"
            return """
                <li><span>\(HTMLText.escape(certificate.subject))</span>
                <span class="line" aria-hidden="true"><span class="bar\(remaining < 30 * 86_400 ? " soon" : "")" \
                style="left:\(from)%;width:\(max(0.5, to - from))%"></span><span class="now" style="left:\(percent(now))%"></span></span>
                <span>until \(time(certificate.notAfter)), \(left)</span></li>
                """
        }
        return "<h4>Certificates</h4><ul class=\"chain\" aria-label=\"Certificates of \(name)\">\(rows.joined())</ul>"
    }

    private func changes(_ state: WatchedState, _ name: String) -> String {
        guard !state.changes.isEmpty else { return "" }
        let rows = state.changes.map { change in
            let from = change.from?.rawValue ?? "new"
            let code = change.code.map { " (\(HTMLText.escape($0)))" } ?? ""
            return "<tr><td>\(time(change.time))</td><td>\(HTMLText.escape(change.stack))</td>"
                + "<td>\(from)</td><td>\(change.to.rawValue)\(code)</td></tr>"
        }
        return "<details><summary>Changes (\(state.changes.count))</summary>"
            + table("Changes of \(name)", ["Time", "Stack", "From", "To"], rows) + "</details>"
    }

    // MARK: The last probes

    private var probes: String {
        let rows = history.map { entry in
            "<tr><td>\(HTMLText.escape(entry.module))</td><td>\(HTMLText.escape(entry.target))</td>"
                + "<td>\(entry.isSuccess ? "passes" : "<b>fails</b>")</td>"
                + "<td><a href=\"logs?id=\(entry.id)\">log \(entry.id)</a></td></tr>"
        }
        let content =
            rows.isEmpty
            ? "<p>None yet\(plan.items.isEmpty ? "" : ": scrapes of the targets above get the verdicts of the watch").</p>"
            : table("Results of the last probes", ["Module", "Target", "Result", "Log"], rows)
        return
            "<section aria-labelledby=\"probes\"><h2 id=\"probes\" tabindex=\"-1\">Last probes</h2>\(content)</section>"
    }

    // MARK: Parts

    /// A table that scrolls by itself where it is too wide, by keyboard too.
    func table(_ caption: String, _ columns: [String], _ rows: [String]) -> String {
        let head = columns.map { "<th scope=\"col\">\($0)</th>" }.joined()
        return "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"\(caption)\"><table>"
            + "<thead><tr>\(head)</tr></thead><tbody>\n\(rows.joined(separator: "\n"))\n</tbody></table></div>"
    }

    func time(_ date: Date) -> String {
        let text = RFC3339.format(date)
        return "<time datetime=\"\(text)\">\(text.replacing("T", with: " "))</time>"
    }

    private static func words(_ duration: Duration) -> String {
        let seconds = duration.inSeconds
        return seconds.truncatingRemainder(dividingBy: 60) == 0 ? "\(Int(seconds / 60)) min" : "\(seconds) s"
    }
}
