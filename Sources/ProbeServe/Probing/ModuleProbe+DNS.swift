import ProbeKit
import ProbeRun

/// One query to one server.
extension ModuleProbe {
    func probe(
        _ module: DNSModule, _ question: Question, _ preference: AddressPreference, _ deadline: Deadline
    ) async throws(ServeRefusal) -> ProbeAnswer {
        let text = try target(of: question)
        guard question.hostname == nil else {
            throw ServeRefusal(.badRequest, "'hostname' is of no use with a dns module: a server has no name to prove")
        }
        let server = try read { () throws(InputError) in try DNSModule.server(text) }
        var answer = ProbeAnswer()
        guard
            let address = try await dial(
                server.host, port: server.port, preference, deadline, &answer),
            let endpoint = endpoint(address, server.port)
        else { return answer }
        let asked = try read { () throws(InputError) in try backends.model(module.check(endpoint)) }
        let results = await backends.prober.probe(
            asked.check, subject: text, through: asked.resolvers, timeout: deadline.remaining)
        let first = results.first { DNSMetrics.responseCode($0.evidence.model) != nil } ?? results.first
        DNSMetrics.add(first?.evidence.model, lookup: address.duration, to: &answer.metrics)
        answer.add(results.map { judged($0, module) })
        return answer
    }

    /// Returns true for a reply that answers the question, whatever it says: one that is forged, broken or cut does not.
    private static func isAnswer(_ reading: ModelReading?) -> Bool {
        guard case .indeterminate(.unusable(let fault)) = reading else { return true }
        return [.serverFailure, .refused, .responseCode, .referral, .noProof].contains(fault.code)
    }

    /// Returns a result that passes if the answer has one of the module's codes, whatever list of models it has.
    private func judged(_ result: ProbeResult, _ module: DNSModule) -> ProbeResult {
        let findings: [Finding]
        switch DNSMetrics.responseCode(result.evidence.model) {
        case .some where result.verdict.outcome == .readingsDisagree: findings = result.verdict.findings
        case .some where !Self.isAnswer(result.evidence.model?.deciding?.reading):
            findings = result.verdict.findings.filter { $0.severity == .error }
        case .some(let code) where module.validCodes.contains(code):
            findings = [.note("response-code", stage: .dns, "the server answers \(code.mnemonic)")]
        case .some(let code):
            findings = [
                .error(
                    .dnsIndeterminate, code: "response-code", stage: .dns, "the server answers \(code.mnemonic)",
                    fix: "let it answer \(module.validCodes.map(\.mnemonic).joined(separator: " or "))")
            ]
        case nil:
            findings = result.verdict.findings.filter { $0.severity == .error }
        }
        let leftOut = result.verdict.findings.filter { $0.severity == .note && $0.code.hasSuffix("-left-out") }
        return ProbeResult(
            subject: result.subject, service: result.service, trust: result.trust, evidence: result.evidence,
            verdict: Verdict(findings + leftOut.filter { !findings.contains($0) }))
    }
}
