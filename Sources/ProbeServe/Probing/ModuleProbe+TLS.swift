import ProbeKit
import ProbeRun

/// One handshake with one target.
extension ModuleProbe {
    func probe(
        _ module: TLSModule, _ question: Question, _ served: ServeModule, _ deadline: Deadline
    ) async throws(ServeRefusal) -> ProbeAnswer {
        let text = try target(of: question)
        let target = try read { () throws(InputError) in try module.target(text) }
        let hostname = try read { () throws(InputError) in try question.hostname.map(ServerName.init) }
        var answer = ProbeAnswer()
        answer.metrics.add(
            "probe_failed_due_to_regex", "Whether a pattern did not match: never, none is looked for.", holds: false)
        guard
            let address = try await dial(
                target.name, port: target.port, served.addresses, deadline, &answer)
        else { return answer }
        if module.isHTTP {
            answer.metrics.add(
                "probe_http_duration_seconds", Help.phases, ["phase": "resolve"], value: address.duration.inSeconds)
        }
        let limit = limit(served, deadline)
        let named = module.check(target, hostname: hostname, timeout: limit)
        let check = named.trying([address.dialled(named.target)])
        let results = try await probe(check)
        answer.add(results)
        if let connection = best(results) {
            ConnectionMetrics.add(connection, isHTTP: module.isHTTP, to: &answer.metrics)
        }
        try await judge(check, served.fleet, deadline, &answer)
        answer.add(best(results), of: check)
        return answer
    }
}
