import ProbeKit
import ProbeRun

/// Results as text: one line a backend, then the failures, the evidence, and the line to change.
struct TextReport {
    let style: Style

    /// Returns the results of one target.
    func text(_ results: [ProbeResult]) -> String {
        guard let first = results.first else { return "" }
        let names = results.map(backends)
        let width = names.map(\.count).max() ?? 0
        var lines = [style.bold(first.service.map { "\(PrintableText.escape($0))  \(first.subject)" } ?? first.subject)]
        for (result, name) in zip(results, names) {
            let outcome = result.verdict.outcome
            let padded = name + String(repeating: " ", count: width - name.count)
            let facts = facts(result.evidence)
            lines.append(
                "  \(mark(outcome)) \(padded)  \(style.outcome(outcome, outcome.rawValue))"
                    + (facts.isEmpty ? "" : "  " + style.dim(facts)))
        }
        lines += findings(results)
        return lines.joined(separator: "\n")
    }

    private func mark(_ outcome: Outcome) -> String {
        switch outcome {
        case .pass: style.outcome(outcome, "ok  ")
        case .passWithWarnings: style.outcome(outcome, "warn")
        default: style.outcome(outcome, "FAIL")
        }
    }

    private func backends(_ result: ProbeResult) -> String {
        [result.evidence.connection?.transport.name, result.evidence.model?.resolver.name]
            .compactMap(\.self).joined(separator: "+")
    }

    private func facts(_ evidence: Evidence) -> String {
        guard let connection = evidence.connection else { return "" }
        let report = connection.report
        var facts = [report.version?.rawValue, report.cipherSuite, report.group].compactMap(\.self)
        let count = connection.presented.count
        if count > 0 { facts.append("\(count) certificate\(count == 1 ? "" : "s")") }
        if let handshake = report.timings.handshake { facts.append(Self.milliseconds(handshake)) }
        return facts.joined(separator: ", ")
    }

    static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration.inSeconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// Returns each finding once, with the backends that have it where not all do.
    private func findings(_ results: [ProbeResult]) -> [String] {
        var order: [Finding] = []
        var owners: [Finding: [String]] = [:]
        for result in results {
            for finding in result.verdict.findings {
                if owners[finding] == nil { order.append(finding) }
                owners[finding, default: []].append(backends(result))
            }
        }
        let shown = order.filter { $0.severity != .note } + order.filter { $0.severity == .note }
        return shown.flatMap { finding in
            lines(finding, owners: owners[finding].flatMap { $0.count == results.count ? nil : $0 })
        } + evidence(results)
    }

    private func lines(_ finding: Finding, owners: [String]?) -> [String] {
        let who = owners.map { " (\($0.joined(separator: ", ")))" } ?? ""
        let head = "    \(finding.severity.rawValue) \(finding.stage.rawValue)/\(finding.code)\(who)"
        guard finding.severity != .note else { return [style.dim("\(head): \(finding.message)")] }
        let outcome: Outcome = finding.outcome ?? .passWithWarnings
        return [style.outcome(outcome, head), "      \(finding.message)", "      fix: \(finding.fix)"]
    }

    /// Returns the certificates and records behind a failure, once.
    private func evidence(_ results: [ProbeResult]) -> [String] {
        var lines: [String] = []
        let failed = results.filter { !$0.verdict.outcome.isPass }
        let stages = Set(failed.flatMap { $0.verdict.findings.filter { $0.severity == .error }.map(\.stage) })
        if stages.contains(.pins) || stages.contains(.trust),
            let connection = failed.lazy.compactMap(\.evidence.connection).first(where: { !$0.certificates.isEmpty })
        {
            lines.append("    evidence: the chain as \(connection.transport.name) saw it")
            lines += connection.certificates.enumerated().flatMap { certificate($0.element, index: $0.offset) }
        }
        let models = results.compactMap(\.evidence.model)
        let isAboutDNS = results.allSatisfy { $0.evidence.connection == nil }
        if isAboutDNS, let answer = models.lazy.compactMap(\.deciding).first { lines += records(answer) }
        // For a result that fails because of a server's answer, if a server answered.
        let told = failed.filter { $0.verdict.findings.contains { $0.severity == .error && $0.stage == .dns } }
            .compactMap(\.evidence.model)
        if let model = told.first(where: { $0.answers.contains { !$0.report.attempts.isEmpty } }) {
            lines.append("    evidence: what \(model.resolver.name) was told")
            lines += model.answers.flatMap(attempts)
        }
        return lines
    }

    private func certificate(_ certificate: CertificateEvidence, index: Int) -> [String] {
        var lines = ["      \(index) \(certificate.name)\(certificate.source == .anchor ? " (anchor)" : "")"]
        if let details = certificate.details {
            let names = (details.dnsNames + details.ipAddresses).joined(separator: " ")
            if !names.isEmpty { lines.append("        names \(names)") }
            lines.append(
                "        \(details.key), valid \(RFC3339.format(details.notBefore)) to \(RFC3339.format(details.notAfter)), issued by '\(details.issuer)'"
            )
        }
        if case .success(let digests) = certificate.digests {
            lines.append("        spki   \(digests.spki.base64)")
            lines.append("        rawkey \(digests.rawKey.hex)")
            lines.append("        cert   \(digests.cert.hex)")
        }
        return lines
    }

    /// Returns the records as `dig +short` prints them (requirement 22).
    private func records(_ answer: ModelEvidence.Answer) -> [String] {
        let list: ModelList
        switch answer.reading {
        case .listed(let found), .listedInPart(let found), .notListed(let found): list = found
        case .absent, .indeterminate, .readingsDisagree: return []
        }
        return list.records.map { "    \(answer.host) TXT \(MasterFileText.quoted($0.strings))" }
    }

    private func attempts(_ answer: ModelEvidence.Answer) -> [String] {
        answer.report.attempts.map { attempt in
            let outcome =
                attempt.failure?.description ?? attempt.reply.map { "a reply of \($0.count) bytes" } ?? "no reply"
            let dropped = attempt.dropped.isEmpty ? "" : ", dropped: \(attempt.dropped.joined(separator: "; "))"
            let dnssec = attempt.dnssec.map { ", DNSSEC \($0.name)" } ?? ""
            let way = attempt.channel == .unknown ? "" : " over \(attempt.channel.rawValue)"
            return "      \(answer.host) at \(attempt.server)\(way): \(outcome)\(dnssec)\(dropped)"
        }
    }
}
