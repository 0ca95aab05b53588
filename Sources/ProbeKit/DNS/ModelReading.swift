/// Whether a model is on the published list, read out of what a resolver reports.
public enum ModelReading: Hashable, Sendable {
    /// The model is on the list, or there is a list and no model was asked about.
    case listed(ModelList)
    /// The list is there, and the model is not on it.
    case notListed(ModelList)
    /// There is no list.
    case absent(TXTReading.Absence)
    /// Nothing is known, so nothing is said against the model.
    case indeterminate(DNSDoubt)
    /// Our reading and the stack's own differ (rule 2), in the words given.
    case readingsDisagree(String)

    /// Reads a report.
    ///
    /// - Parameters:
    ///   - report: what the resolver saw; its last attempt counts.
    ///   - name: the name that was asked.
    ///   - model: the model to look for; nil asks only whether there is a list.
    ///   - strings: how the strings of one record are read.
    ///   - dnssec: what a reply needs to count.
    public init(
        _ report: DNSReport, name: DNSName, model: ModelName?, strings: TXTStrings = .joined,
        dnssec: DNSSECPolicy = .off
    ) {
        let reading = TXTReader.read(report, name: name, dnssec: dnssec)
        if let attempt = report.attempts.last, let difference = reading.difference(from: attempt) {
            self = .readingsDisagree(difference)
            return
        }
        switch reading {
        case .records(let records):
            let list = ModelList(records: records, strings: strings)
            self = model.map(list.contains) ?? true ? .listed(list) : .notListed(list)
        case .absent(let absence): self = .absent(absence)
        case .indeterminate(let doubt): self = .indeterminate(doubt)
        }
    }

    /// The outcome this reading alone leads to.
    public var outcome: Outcome {
        switch self {
        case .listed(let list): list.dependsOnStrings ? .passWithWarnings : .pass
        case .notListed: .modelNotListed
        case .absent: .modelAbsent
        case .indeterminate: .dnsIndeterminate
        case .readingsDisagree: .readingsDisagree
        }
    }
}
