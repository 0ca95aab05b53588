import Foundation
import Yams

/// A profile as a tree of named values, for writing YAML and JSON.
enum NativeValue {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([NativeValue])
    case map([(key: String, value: NativeValue)])

    var yaml: Node {
        switch self {
        case .text(let text): Node(text, Tag(.str), Self.style(of: text))
        case .flag(let flag): Node(flag ? "true" : "false", Tag(.bool), .plain)
        case .number(let number): Node("\(number)", Tag(.int), .plain)
        case .list(let values): Node(values.map(\.yaml))
        case .map(let entries): Node(entries.map { (Node($0.key, Tag(.str), Self.style(of: $0.key)), $0.value.yaml) })
        }
    }

    var json: Any {
        switch self {
        case .text(let text): text
        case .flag(let flag): flag
        case .number(let number): number
        case .list(let values): values.map(\.json)
        case .map(let entries): Dictionary(entries.map { ($0.key, $0.value.json) }, uniquingKeysWith: { $1 })
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
