import Yams

/// A tree of named values, for writing.
package enum YAMLValue {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([YAMLValue])
    case map([(key: String, value: YAMLValue)])

    /// Returns the tree as the text of a file, which ends with a line break: block style, two spaces a level, no line folded.
    ///
    /// Each text is read back as it is, also by readers that guess types: where one could, it is in quotes.
    ///
    /// - Throws: any error of Yams, for a text that YAML can't hold.
    package func serialized() throws -> String {
        try Yams.serialize(node: node, indent: 2, width: -1, allowUnicode: true)
    }

    private var node: Node {
        switch self {
        case .text(let text): Node(text, Tag(.str), Self.style(of: text))
        case .flag(let flag): Node(flag ? "true" : "false", Tag(.bool), .plain)
        case .number(let number): Node("\(number)", Tag(.int), .plain)
        case .list(let values): Node(values.map(\.node))
        case .map(let entries): Node(entries.map { (Node($0.key, Tag(.str), Self.style(of: $0.key)), $0.value.node) })
        }
    }

    /// Returns the plain style if no reader could mistake the text for something else.
    private static func style(of text: String) -> Node.Scalar.Style {
        if text.hasSuffix("\n"), text.hasPrefix("-----BEGIN") { return .literal }
        let isWord = text.wholeMatch(of: #/[A-Za-z][A-Za-z0-9_.\/+=@:-]*[A-Za-z0-9_.\/+=@-]/#) != nil
        let isReserved = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased())
        return isWord && !isReserved ? .plain : .doubleQuoted
    }
}
