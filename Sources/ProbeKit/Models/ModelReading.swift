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
}
