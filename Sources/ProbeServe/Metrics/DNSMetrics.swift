import ProbeDNS
import ProbeKit
import ProbeRun

/// The metrics of a DNS query, by the names of blackbox_exporter.
enum DNSMetrics {
    /// Adds the metrics of one resolver's answer.
    static func add(_ model: ModelEvidence?, lookup: Duration, to metrics: inout MetricSet) {
        let attempt = model?.answers.first?.report.attempts.last
        let message = attempt.flatMap { try? $0.parsed?.get() }
        let phases = [("resolve", lookup), ("connect", .zero), ("request", attempt?.duration ?? .zero)]
        for (phase, duration) in phases {
            metrics.add("probe_dns_duration_seconds", Help.phases, ["phase": phase], value: duration.inSeconds)
        }
        metrics.add("probe_dns_query_succeeded", "Whether an answer came.", holds: message != nil)
        let counts = [
            ("answer", message?.answers.count), ("authority", message?.authorities.count),
            ("additional", message?.additional.count { $0.type != DNSType.opt }),
        ]
        for (section, count) in counts {
            metrics.add(
                "probe_dns_\(section)_rrs", "The number of records in the \(section) section.",
                value: Double(count ?? 0))
        }
    }

    /// Returns the response code that a resolver saw; nil without an answer.
    static func responseCode(_ model: ModelEvidence?) -> DNSAttempt.ResponseCode? {
        let attempt = model?.answers.first?.report.attempts.last
        return attempt.flatMap { try? $0.parsed?.get() }?.responseCode
    }
}
