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

/// The name of a security model, as a build contains it; compared ignoring ASCII case.
public struct ModelName: Hashable, Sendable, CustomStringConvertible {
    /// The name in lowercase.
    public let description: String

    /// Reads a name. It is printable ASCII without spaces and commas; no list item could equal any other text.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        let remedy = "write one name as it stands in the TXT record, like florida"
        guard !text.isEmpty else { throw InputError("the model name is empty", remedy: remedy) }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ",") }) else {
            throw InputError(
                "the model name '\(PrintableText.escape(text))' has commas, spaces or letters outside ASCII",
                remedy: remedy)
        }
        description = String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self)
    }
}

/// The reason why nothing is known about a name's records.
public enum DNSDoubt: Hashable, Sendable, CustomStringConvertible {
    /// No reply came.
    case unanswered(DNSFailure)
    /// The reply is unusable.
    case unusable(ReplyFault)

    /// The stable code, in kebab case: a ``DNSFailure/Code`` or a ``ReplyFault/Code``.
    public var code: String {
        switch self {
        case .unanswered(let failure): failure.code.rawValue
        case .unusable(let fault): fault.code.rawValue
        }
    }

    /// A one-sentence message.
    public var message: String {
        switch self {
        case .unanswered(let failure): failure.message
        case .unusable(let fault): fault.message
        }
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
