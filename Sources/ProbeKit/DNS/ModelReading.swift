/// The result of looking a model up on the published list, from a resolver's report.
public enum ModelReading: Hashable, Sendable {
    /// The model is on the list, or there is a list and no model was given.
    case listed(ModelList)
    /// The model is on the list and not in every record of it, or no model was given and the records differ: a client
    /// that reads one record alone, as the shipped app of requirement 17 does, sees whichever comes first.
    case listedInPart(ModelList)
    /// The list is there, and the model is not on it; with the shipped app's rules, it is not in every record.
    case notListed(ModelList)
    /// There is no list.
    case absent(TXTReading.Absence)
    /// Nothing is known, which is not held against the model.
    case indeterminate(DNSDoubt)
    /// Our reading and the stack's own differ (decided: read-twice), in the words given.
    case readingsDisagree(String)

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

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - list: the published list.
    ///   - model: the model to look for; nil asks only whether there is a list.
    public init(_ list: ModelList, model: ModelName?) {
        let isPartial = list.dependsOnRecord(model)
        if let model, !list.contains(model) || isPartial && list.strings == .separate {
            self = .notListed(list)
        } else {
            self = isPartial ? .listedInPart(list) : .listed(list)
        }
    }

    /// The outcome of this reading alone.
    public var outcome: Outcome {
        switch self {
        case .listed(let list): list.dependsOnStrings ? .passWithWarnings : .pass
        case .listedInPart: .passWithWarnings
        case .notListed: .modelNotListed
        case .absent: .modelAbsent
        case .indeterminate: .dnsIndeterminate
        case .readingsDisagree: .readingsDisagree
        }
    }
}
