import ProbeKit
import ProbeRun

/// The evidence of results as text: the certificates of a chain, and what DNS servers answered.
struct TextEvidence: Sendable {
    /// The certificates and records behind a failure, once.
    ///
    /// - Parameter isWhole: true for those of what passes too.
    func lines(_ results: [ProbeResult], isWhole: Bool = false) -> [String] {
        let failed = results.filter { !$0.verdict.outcome.isPass }
        let errors = failed.flatMap { $0.verdict.findings.filter { $0.severity == .error } }
        var lines: [String] = []
        let isAboutChain = errors.contains { $0.stage == .pins || $0.stage == .trust }
        let chains = chains(isAboutChain ? failed : isWhole ? results : [])
        for (witness, connection) in chains {
            lines.append("    evidence: the chain as \(chains.count == 1 ? connection.transport.name : witness) saw it")
            lines += connection.certificates.enumerated().flatMap { certificate($0.element, index: $0.offset) }
        }
        // Of a result that fails for what a server answered, where one answered.
        let unanswered = failed.filter { $0.verdict.findings.contains { $0.severity == .error && $0.stage == .dns } }
        let models = (unanswered.isEmpty && isWhole ? results : unanswered).compactMap(\.evidence.model)
        if let model = models.first(where: { $0.answers.contains { !$0.report.attempts.isEmpty } }) {
            lines.append("    evidence: the answers to \(model.resolver.name)")
            lines += model.answers.flatMap(attempts)
        }
        return lines
    }

    /// Returns one connection for each chain that was presented, with the first backends that saw it. Addresses and offers
    /// may be shown different chains.
    private func chains(_ results: [ProbeResult]) -> [(witness: String, connection: ConnectionEvidence)] {
        var seen: Set<[[UInt8]]> = []
        return results.compactMap { result in
            guard let connection = result.evidence.connection, !connection.certificates.isEmpty else { return nil }
            let presented = connection.presented.map { connection.certificates[$0].der }
            return seen.insert(presented).inserted ? (result.backends, connection) : nil
        }
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

    /// The records of a list that was asked for by itself, as `dig +short` prints them (requirement 22).
    func records(_ results: [ProbeResult]) -> [String] {
        guard results.allSatisfy({ $0.evidence.connection == nil }),
            let answer = results.lazy.compactMap(\.evidence.model?.deciding).first
        else { return [] }
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
