import ProbeKit
import ProbePlatform

extension ModelEvidence {
    /// Creates evidence of a remembered success in place of answers.
    init(remembered: Date, _ check: ModelCheck, by resolver: BackendIdentity) {
        self.init(resolver: resolver, model: check.model, answers: [], missing: [], remembered: remembered)
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
