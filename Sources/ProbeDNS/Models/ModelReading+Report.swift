public import ProbeKit

extension ModelReading {
    /// Reads a report.
    ///
    /// - Parameters:
    ///   - report: the resolver's report; its last attempt counts.
    ///   - name: the queried name.
    ///   - model: the model to look for; nil asks only whether there is a list.
    ///   - strings: how the strings of one record are read.
    ///   - dnssec: the validation that a reply needs.
    public init(
        _ report: DNSReport, name: DNSName, model: ModelName?, strings: TXTStrings = .joined,
        dnssec: DNSSECPolicy = .off
    ) {
        let reading = TXTReader.read(report, name: name, dnssec: dnssec)
        if let attempt = report.attempts.last, let difference = reading.difference(from: attempt) {
            self = .readingsDisagree(difference)
            return
        }
        if case .notAsked(let reason)? = report.attempts.last?.native, !reading.isIndeterminate {
            self = .indeterminate(.unusable(ReplyFault(.stackNotAsked, reason)))
            return
        }
        switch reading {
        case .records(let records):
            self.init(ModelList(records: records, strings: strings), model: model)
        case .absent(let absence): self = .absent(absence)
        case .indeterminate(let doubt): self = .indeterminate(doubt)
        }
    }

    /// The outcome of this reading alone.
    public var outcome: Outcome {
        switch self {
        case .listed(let list): list.isClear ? .pass : .passWithWarnings
        case .listedInPart: .passWithWarnings
        case .notListed: .modelNotListed
        case .absent: .modelAbsent
        case .indeterminate(.unanswered(let failure)) where failure.code == .localOverload: .localOverload
        case .indeterminate: .dnsIndeterminate
        case .readingsDisagree: .readingsDisagree
        }
    }
}

extension ModelList {
    /// True if the list itself gives no cause for a warning.
    fileprivate var isClear: Bool { !dependsOnStrings && !items.isEmpty }
}

extension ModelEvidence.Answer {
    /// The server's own account that it kept this answer beyond its time; nil where there is none.
    ///
    /// libunbound hides the OPT record, so that the direct exchange with the same server speaks for it.
    public var staleness: ExtendedDNSError? {
        guard let server else { return nil }
        return report.attempts.lazy.filter { $0.server == server }.flatMap(\.extendedErrors).first(where: \.isStale)
    }
}

extension ModelEvidence {
    /// True if a later check may reuse this answer: nothing about it is a warning, which a memory would drop.
    package var isMemorable: Bool {
        guard let deciding, case .listed(let list) = deciding.reading, list.isClear else { return false }
        return deciding.staleness == nil
    }
}
