import ProbeKit

/// The two texts in which metrics are scraped: Prometheus' own, version 0.0.4, and OpenMetrics 1.0.
enum Exposition: Sendable {
    case text, openMetrics

    /// Chooses the form that a scraper prefers by its `Accept` header; the older one where it has no preference.
    init(accept: String?) {
        var best: (form: Exposition, weight: Double) = (.text, 0)
        for range in (accept ?? "").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            var parameters: [String: String] = [:]
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1)
                if pair.count == 2 { parameters[String(pair[0])] = pair[1].filter { $0 != "\"" } }
            }
            let form: Exposition
            switch parts.first {
            case "application/openmetrics-text" where ["1.0.0", "0.0.1"].contains(parameters["version"] ?? "1.0.0"):
                form = .openMetrics
            case "text/plain" where parameters["version"] ?? "0.0.4" == "0.0.4": form = .text
            default: continue
            }
            let weight = parameters["q"].flatMap { Double($0) } ?? 1
            if weight > best.weight { best = (form, weight) }
        }
        self = best.form
    }

    /// The value of the response's `Content-Type`.
    var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Returns the text of metrics.
    func text(_ metrics: MetricSet) -> String {
        var text = ""
        for family in metrics.families {
            let name = headName(family)
            text += "# HELP \(name) \(helpText(family.help))\n# TYPE \(name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(Self.labelText($0.value))\"" }.joined(separator: ",")
                text += family.name + (labels.isEmpty ? "" : "{\(labels)}") + " \(Self.number(sample.value))\n"
            }
        }
        return self == .openMetrics ? text + "# EOF\n" : text
    }

    /// OpenMetrics names a counter without the ending that its samples have.
    private func headName(_ family: MetricFamily) -> String {
        self == .openMetrics && family.kind == .counter && family.name.hasSuffix("_total")
            ? String(family.name.dropLast("_total".count)) : family.name
    }

    private func helpText(_ help: String) -> String {
        let text = PrintableText.replace(["\\": "\\\\", "\n": "\\n"], in: help)
        return self == .openMetrics ? PrintableText.replace(["\"": "\\\""], in: text) : text
    }

    private static func labelText(_ value: String) -> String {
        PrintableText.replace(["\\": "\\\\", "\n": "\\n", "\"": "\\\""], in: value)
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        // Every whole number up to here is exact.
        return value == value.rounded() && abs(value) < 9e15 ? "\(Int(value))" : "\(value)"
    }
}
