import ProbeKit

/// A case of the suite for an exemption: the permitted outcomes instead of the promised one.
enum ExemptibleCase {
    case tls(TLSScenario)
    case dns(DNSScenario)
    case signature(SignatureScenario)

    /// The fault of an exemption, and its fix.
    struct Problem {
        let what: String
        let remedy: String
    }

    /// The backends that the case is about.
    var kind: String {
        switch self {
        case .tls: "transport"
        case .dns: "resolver"
        case .signature: "validator"
        }
    }

    /// - Throws: ``InputError`` if no case has the id.
    static func named(_ id: String) throws(InputError) -> ExemptibleCase {
        guard let known = all[id] else {
            let hint = NearestWord.hint(for: id, among: all.keys.sorted())
            throw InputError(
                "there is no case '\(PrintableText.escape(id))'",
                remedy: "\(hint)give the exact id, as probe conformance shows it")
        }
        return known
    }

    private static let all = Dictionary(
        (TLSScenario.all + TLSScenario.divergences).map { ($0.id, ExemptibleCase.tls($0)) }
            + DNSScenario.all.map { ($0.id, .dns($0)) } + SignatureScenario.all.map { ($0.id, .signature($0)) },
        uniquingKeysWith: { first, _ in first })

    /// Returns the reason why this case does not allow an exemption; nil if it does.
    func problem(with exemption: ConformanceExemptions.Exemption, of backend: String) -> Problem? {
        if isExempted(backend) {
            return Problem(
                what: "the suite itself says how \(backend) differs there",
                remedy: "leave it out, or rename the backend")
        }
        if let trust = exemption.offlineTrust {
            let known = ["accepted"] + TrustCause.allCases.map(\.rawValue)
            guard case .tls = self, known.contains(trust) else {
                return Problem(
                    what: "'\(PrintableText.escape(trust))' is not the trust result of a TLS case",
                    remedy: "write as offlineTrust, for TLS cases only, one of " + known.joined(separator: ", "))
            }
        }
        switch self {
        case .tls: return single(exemption)
        case .dns(let scenario):
            if scenario.allows(exemption.outcomes) { return nil }
            return Problem(
                what: "a resolver may find nothing out there, or an answer where the promise gives up, and no more",
                remedy: "write dns-indeterminate, or pass where an answer may be believed")
        case .signature:
            if let problem = single(exemption) { return problem }
            if exemption.outcomes == [.pass] || exemption.cause.map({ exemption.outcomes == [$0.outcome] }) == true {
                return nil
            }
            return Problem(
                what: "its code is not a cause of that outcome",
                remedy: "write as code one of "
                    + SignatureProblem.Cause.allCases.map(\.rawValue).joined(separator: ", "))
        }
    }

    private func single(_ exemption: ConformanceExemptions.Exemption) -> Problem? {
        guard exemption.outcomes.count == 1, !exemption.outcomes.contains(.internalError) else {
            return Problem(
                what: "it needs exactly one outcome, and a backend that faults is never exempt",
                remedy: "write the outcome that it has there")
        }
        return nil
    }

    private func isExempted(_ backend: String) -> Bool {
        switch self {
        case .tls(let scenario): scenario.deviations[backend] != nil
        case .dns(let scenario): scenario.exemptions[backend] != nil
        case .signature(let scenario): scenario.deviations[backend] != nil
        }
    }
}

extension ConformanceExemptions.Exemption {
    /// The reason why a signature is refused instead; nil if it is found valid.
    var cause: SignatureProblem.Cause? { code.flatMap(SignatureProblem.Cause.init) }
}
