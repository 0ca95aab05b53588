import ProbeKit
import ProbeReport
import ProbeRun

/// The answer to one request: metrics, and what a person reads of how they came about.
struct ProbeAnswer: Sendable {
    var metrics = MetricSet()
    var isSuccess = true
    /// The steps, in order.
    private(set) var steps: [String] = []
    /// The results of all stacks, service by service.
    private(set) var results: [ProbeResult] = []

    /// Adds a step.
    mutating func note(_ step: String) { steps.append(PrintableText.escape(step)) }

    /// Adds a failure, which decides.
    mutating func fail(_ reason: String) {
        isSuccess = false
        note(reason)
    }

    /// Adds the results of one service.
    mutating func add(_ results: [ProbeResult]) {
        self.results += results
        ResultMetrics.add(results, to: &metrics)
        for result in results {
            if !result.verdict.outcome.isPass { isSuccess = false }
            steps.append(ReportLine(result).json)
        }
        if results.isEmpty { fail("no stack was asked") }
    }
}
