/// The page that leads to the others.
enum IndexPage {
    static func text(_ entries: [ProbeHistory.Entry]) -> String {
        let rows = entries.map { entry in
            """
            <tr><td>\(escape(entry.module))</td><td>\(escape(entry.target))</td>\
            <td>\(entry.isSuccess ? "passes" : "<b>fails</b>")</td><td><a href="logs?id=\(entry.id)">log</a></td></tr>
            """
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>probe</title>
            <meta name="viewport" content="width=device-width">
            <style>:root{color-scheme:light dark;font-family:system-ui}td,th{padding:.2em .8em .2em 0;text-align:left}</style>
            </head><body><h1>probe</h1>
            <p><a href="metrics">Metrics</a> · <a href="config">Configuration</a></p>
            <h2>Last probes</h2>
            <table><thead><tr><th>Module</th><th>Target</th><th>Result</th><th>Log</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></body></html>

            """
    }

    /// Returns a text for HTML: what scrapers send must not become a page's own.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
