/// A value of a property list, from whichever form it was read.
struct PropertyNode {
    enum Content {
        case flag(Bool)
        case integer(Int64)
        case text(String)
        case list([PropertyNode])
        case dictionary([String: PropertyNode])
        /// A value of a kind that no reader asks for: a date, data, or a fraction.
        case other
    }

    let content: Content
    /// The line that it starts in; nil if the form has no lines.
    var line: Int?

    var dictionary: [String: PropertyNode]? {
        if case .dictionary(let values) = content { values } else { nil }
    }
}
