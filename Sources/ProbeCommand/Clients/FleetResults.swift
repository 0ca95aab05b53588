import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeReport
import ProbeRun

/// A fleet's reading as results, for reports that know no fleets: the fleet's own, and one for each client.
enum FleetResults {
    static func of(_ check: Check, _ reading: FleetReading) -> [ProbeResult] {
        let fleet = ProbeResult(
            subject: check.subject, service: check.service,
            evidence: Evidence(
                connection: ConnectionEvidence(
                    transport: .fleet,
                    report: HandshakeReport(), missing: [], certificates: [], referenceTrust: nil, anchors: .none,
                    instant: .distantPast), model: nil),
            verdict: Verdict([finding(reading)]))
        let clients = reading.rows.map(\.result.result)
        // Refusals of the others fail nothing if enough connect.
        return [fleet] + (reading.outcome.isPass ? clients.map { $0.judged(tolerated($0.verdict)) } : clients)
    }

    private static func finding(_ reading: FleetReading) -> Finding {
        let words = FleetText.share(reading)
        switch reading.outcome {
        case let outcome where outcome.isPass: return .note("clients-connect", stage: .trust, words)
        case .clientsLost:
            return .error(.clientsLost, stage: .trust, words, fix: "see which clients refuse the server, and why")
        case let outcome:
            return .error(
                outcome, code: "clients-undecided", stage: .connect, words,
                fix: "see why those clients could not be asked")
        }
    }

    private static func tolerated(_ verdict: Verdict) -> Verdict {
        Verdict(
            verdict.findings.map { finding in
                finding.severity == .error
                    ? .warning(finding.code, stage: finding.stage, finding.message, fix: finding.remedy) : finding
            })
    }
}
