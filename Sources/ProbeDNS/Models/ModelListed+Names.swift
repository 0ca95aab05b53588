import ProbeKit

/// The names that publish no list.
extension ModelListed {
    /// Returns the error for a name without a list. Behind an alias it is about the name that the alias leads to: a TXT record
    /// can't stand beside a CNAME record (RFC 1034 section 3.6.2).
    func missing(_ absence: TXTReading.Absence, _ answer: ModelEvidence.Answer) -> Finding {
        let (host, owner) = (answer.host, answer.owner)
        let isAlias = owner != host
        let fix: Fix =
            isAlias
            ? "publish the list as a TXT record of \(owner), or point the alias \(host) at a name that has it"
            : "publish the list as a TXT record of \(host), or correct the name that is asked"
        return .error(
            .modelAbsent, code: absence == .nameError ? "name-error" : "no-data", stage: .dns,
            (isAlias ? "\(host) is an alias of \(owner), which " : "\(host) ") + absence.lack, fix: fix)
    }

    /// Returns a note if another name than the first decides, that names those before it and what each of them lacks.
    func standingIn(_ answer: ModelEvidence.Answer, _ evidence: ModelEvidence) -> [Finding] {
        let skipped = evidence.answers.prefix { $0.host != answer.host }.compactMap { answer in
            answer.reading.lack.map { "\(answer.host) \($0)" }
        }
        guard answer.reading.isAuthoritative, !skipped.isEmpty else { return [] }
        return [
            .note(
                "model-alternate-used", stage: .dns, "\(answer.host) stands in: \(skipped.joined(separator: ", "))")
        ]
    }
}

extension ModelEvidence.Answer {
    /// The name that the aliases of the reply lead to; the host itself where there are none.
    var owner: DNSName {
        guard let message = try? report.attempts.last?.parsed?.get() else { return host }
        return (try? message.owner(ofRecordsFor: host)) ?? host
    }
}

extension ModelReading {
    /// The reason why a name does not decide; nil if it does.
    fileprivate var lack: String? {
        switch self {
        case .absent(let absence): absence.lack
        case .indeterminate(let doubt): "gives no answer (\(doubt.code))"
        case .listed, .listedInPart, .notListed, .readingsDisagree: nil
        }
    }
}

extension TXTReading.Absence {
    /// The words that follow a name.
    fileprivate var lack: String {
        switch self {
        case .nameError: "does not exist"
        case .noData: "has no TXT record"
        }
    }
}
