import ProbeClients
import ProbeKit
import ProbeReport
import ProbeRun

/// A fleet's readings as one HTML page: who does not connect first, with the reason and the fix, then everybody. It has no
/// script, and nothing from elsewhere.
struct FleetPage {
    let readings: [(check: Check, reading: FleetReading)]

    var text: String {
        let title = Self.title(readings.map(\.reading))
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title) - probe fleet</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>\(Self.style)</style>
            </head><body><main><h1>Your users: \(title)</h1>
            \(readings.enumerated().map { section($1.check, $1.reading, number: $0 + 1) }.joined(separator: "\n"))
            </main></body></html>
            """
    }

    private static func title(_ readings: [FleetReading]) -> String {
        let outcomes = readings.map(\.outcome)
        let below = outcomes.count { $0 == .clientsLost }
        let open = outcomes.count { !$0.isPass } - below
        let parts = [
            below > 0 ? "\(below) of \(outcomes.count) below the minimum" : nil, open > 0 ? "\(open) not known" : nil,
        ].compactMap(\.self)
        guard parts.isEmpty else { return parts.joined(separator: ", ") }
        // A fleet has one minimum for all targets.
        guard readings.contains(where: { $0.minimum == nil }) else { return "every minimum is met" }
        let least = readings.map(\.connecting).min() ?? 0
        return "\(readings.count > 1 ? "at least " : "")\(FleetShare.text(least)) % connect, no minimum set"
    }

    private func section(_ check: Check, _ reading: FleetReading, number: Int) -> String {
        let line = FleetLine(check, reading)
        let title = (line.service.map { "\($0) " } ?? "") + line.target + (line.dialled.map { " at \($0)" } ?? "")
        let minimum = reading.minimum.map { ", and \(FleetShare.text($0)) % have to" } ?? ""
        // Without a minimum nothing passes.
        let isJudged = reading.minimum != nil || !reading.outcome.isPass
        let mark = isJudged ? "sum \(reading.outcome.isPass ? "connects" : "refuses")" : "sum"
        let unknown =
            reading.undecided > 0 ? " Of \(FleetShare.text(reading.undecided)) % it is not known." : ""
        return """
            <section aria-labelledby="target\(number)"><h2 id="target\(number)">\(HTMLText.escape(title))</h2>
            <p class="\(mark)">\(isJudged ? "\(line.outcome.rawValue): " : "")\
            \(FleetShare.text(reading.connecting)) % of your users connect\(minimum).\(unknown)</p>
            \(bar(line))
            \(reasons(reading))
            \(table(line, number))
            </section>
            """
    }

    /// The shares as one bar; the text above it says the same.
    private func bar(_ line: FleetLine) -> String {
        let parts = [("connects", line.connecting), ("refuses", line.refusing), ("undecided", line.undecided)]
        let spans = parts.filter { $0.1 > 0 }.map { "<span class=\"\($0.0)\" style=\"flex:\($0.1)\"></span>" }
        return "<p class=\"bar\" aria-hidden=\"true\">\(spans.joined())</p>"
    }

    private func reasons(_ reading: FleetReading) -> String {
        let reasons = reading.rows.byReason.map { reason, rows in
            let title = "\(rows.names) \(reason.answer.words(rows.count))"
            return article(reason.answer.rawValue, title, reason.message, reason.fix)
        }
        let warnings = reading.rows.withoutPins.map { finding, rows in
            article("unpinned", rows.names, finding.message, finding.fix)
        }
        return (reasons + warnings).joined(separator: "\n")
    }

    private func article(_ kind: String, _ title: String, _ message: String, _ fix: String) -> String {
        let fix = fix.isEmpty ? "" : "<p class=\"fix\">Fix: \(HTMLText.escape(fix))</p>"
        return """
            <article class="\(kind)"><h3>\(HTMLText.escape(title))</h3>
            <p>\(HTMLText.escape(message))</p>\(fix)</article>
            """
    }

    private func table(_ line: FleetLine, _ number: Int) -> String {
        let rows = line.clients.map { row in
            """
            <tr><th scope="row">\(HTMLText.escape(row.client))</th><td>\(FleetShare.text(row.share ?? 0)) %</td>\
            <td class="\(row.answer.rawValue)">\(row.answer.words(1))</td><td>\(row.emulated ? "emulated" : "the client itself")</td>\
            <td>\(HTMLText.escape(row.roots))</td></tr>
            """
        }
        return """
            <details><summary>All \(rows.count) clients</summary><div class="wide" tabindex="0" role="region" aria-label="All clients of target \(number)">
            <table><thead><tr><th scope="col">client</th><th scope="col">users</th><th scope="col">it</th>\
            <th scope="col">judged by</th><th scope="col">roots</th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div></details>
            """
    }

    private static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#1b1b1f;--line:#c9c9d1;--card:#f6f6f9;--good:#0b6b3a;--bad:#a8071a;\
        --open:#8a5a00}
        @media (prefers-color-scheme:dark){:root{--back:#131316;--text:#e6e6ea;--line:#44444f;--card:#1d1d22;--good:#6fdc9c;\
        --bad:#ff9a9a;--open:#f2c14e}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif;\
        overflow-wrap:anywhere}
        h1,h2{line-height:1.25;margin:.8em 0 .3em}h1{font-size:1.4rem}h2{font-size:1.25rem}h3{font-size:1.05rem;margin:0}\
        p{margin:.3em 0}
        .sum{font-size:1.15rem;font-weight:bold}.sum.connects,td.connects{color:var(--good)}.sum.refuses,td.refuses{color:var(--bad)}
        td.undecided{color:var(--open)}
        .bar{display:flex;gap:2px;height:1rem}.bar span{min-width:3px;border-radius:.2rem}
        .bar .connects{background:var(--good)}.bar .refuses{background:var(--bad)}.bar .undecided{background:var(--open)}
        article{background:var(--card);border:1px solid var(--line);border-left:.4rem solid var(--bad);border-radius:.3rem;\
        padding:.7rem 1rem;margin:.8rem 0}article.undecided,article.unpinned{border-left-color:var(--open)}
        .fix{border-left:3px solid var(--open);padding-left:.7rem}
        summary{cursor:pointer;margin:.8rem 0}.wide{overflow-x:auto}table{border-collapse:collapse;overflow-wrap:normal}
        td,th{padding:.25rem .8rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        :focus-visible{outline:3px solid var(--open);outline-offset:2px}
        """
}
