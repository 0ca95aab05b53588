import ProbeKit
import ProbeRun

/// The results of each stack, beside the metrics that blackbox_exporter has.
enum ResultMetrics {
    /// Adds the metrics of one service's results.
    static func add(_ results: [ProbeResult], to metrics: inout MetricSet) {
        for result in results { add(result, to: &metrics) }
        let passes = Set(results.map(\.verdict.outcome.isPass))
        let differs = results.contains { [.stacksDisagree, .readingsDisagree].contains($0.verdict.outcome) }
        metrics.add(
            "probe_stacks_agree",
            "Whether all stacks come to one verdict, each by its own reading and by the common one.",
            ["service": results.first?.service], holds: passes.count <= 1 && !differs)
    }

    private static func add(_ result: ProbeResult, to metrics: inout MetricSet) {
        let transport = result.evidence.connection?.transport.name
        let resolver = result.evidence.model?.resolver.name
        let verdict = result.verdict
        metrics.add(
            "probe_backend_success", "Whether the target passes with this stack.",
            ["service": result.service, "transport": transport, "resolver": resolver], holds: verdict.outcome.isPass)
        metrics.add(
            "probe_outcome_info", "The outcome with this stack, and the code of the finding that decided.",
            [
                "service": result.service, "transport": transport, "resolver": resolver,
                "outcome": verdict.outcome.rawValue, "code": verdict.decidingFinding?.code ?? "",
                "stage": verdict.stage?.rawValue ?? "",
            ], holds: true)
        metrics.add(
            "probe_warnings", "The number of warnings with this stack.",
            ["service": result.service, "transport": transport, "resolver": resolver],
            value: Double(verdict.findings.count { $0.severity == .warning }))
        if let connection = result.evidence.connection { addTrust(connection, result.service, to: &metrics) }
        if let model = result.evidence.model { addModel(model, to: &metrics) }
    }

    private static func addTrust(_ connection: ConnectionEvidence, _ service: String?, to metrics: inout MetricSet) {
        for (verifier, reading) in [
            ("native", connection.report.nativeTrust?.answered), ("reference", connection.referenceTrust),
        ] {
            guard let reading else { continue }
            metrics.add(
                "probe_trust_accepted", "Whether a verifier accepts the chain: the stack's own, or the reference.",
                ["service": service, "transport": connection.transport.name, "verifier": verifier],
                holds: reading.isAccepted)
        }
    }

    private static func addModel(_ model: ModelEvidence, to metrics: inout MetricSet) {
        guard let answer = model.deciding else { return }
        let list: ModelList?
        let isListed: Bool
        switch answer.reading {
        case .listed(let found), .listedInPart(let found): (list, isListed) = (found, true)
        case .notListed(let found): (list, isListed) = (found, false)
        case .absent: (list, isListed) = (nil, false)
        // Data that can't be read never takes a model off the list.
        case .indeterminate, .readingsDisagree: return
        }
        let resolver = model.resolver.name
        if let name = model.model {
            metrics.add(
                "probe_model_listed", "Whether a build's model is on the list that DNS publishes.",
                ["model": name.description, "host": answer.host.description, "resolver": resolver], holds: isListed)
        }
        metrics.add(
            "probe_models_listed", "The number of models on the list that DNS publishes.",
            ["host": answer.host.description, "resolver": resolver], value: Double(list?.items.count ?? 0))
    }
}
