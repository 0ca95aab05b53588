import FoundationEssentials
import ProbeKit

extension ModelEvidence {
    /// Creates evidence of a remembered success in place of answers.
    init(remembered: Date, _ check: ModelCheck, by resolver: BackendIdentity) {
        self.init(resolver: resolver, model: check.model, answers: [], missing: [], remembered: remembered)
    }

    /// The same if this process lost some of the time that the server was allowed.
    func attributed(lost: Duration, of allowed: Duration) -> ModelEvidence {
        let answers = answers.map { answer in
            guard case .indeterminate(.unanswered(let failure)) = answer.reading else { return answer }
            return Answer(
                host: answer.host, report: answer.report,
                reading: .indeterminate(.unanswered(failure.attributed(lost: lost, of: allowed))),
                duration: answer.duration)
        }
        return ModelEvidence(
            resolver: resolver, model: model, answers: answers, missing: missing, remembered: remembered)
    }

    /// Creates evidence of a question that was given up before it was answered.
    init(unanswered check: ModelCheck, by resolver: BackendIdentity) {
        let failure = DNSFailure(.timeout, "no answer came while there was time to wait for one")
        let answers = check.hosts.prefix(1).map { host in
            ModelEvidence.Answer(
                host: host, report: DNSReport(attempts: []), reading: .indeterminate(.unanswered(failure)),
                duration: .zero)
        }
        self.init(resolver: resolver, model: check.model, answers: answers, missing: [], remembered: nil)
    }
}
