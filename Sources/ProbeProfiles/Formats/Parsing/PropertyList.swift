import Foundation
import ProbeKit

/// Property lists, XML and binary.
///
/// They are not read by Foundation, which silently keeps one of two equal keys, and does not limit the expanded size of
/// a binary list.
enum PropertyList {
    /// Reads a file's root dictionary.
    ///
    /// - Throws: ``InputError`` if it is not one, or has a key twice.
    static func read(_ input: FormatInput) throws(InputError) -> [String: PropertyNode] {
        let node =
            BinaryPropertyList.recognises(input.bytes)
            ? try BinaryPropertyList.read(input) : try node(try root(try XMLTree.read(input), input), input)
        guard let dictionary = node.dictionary else {
            throw input.refuse("is not a dictionary", remedy: "give a property list whose top is a <dict>")
        }
        return dictionary
    }

    /// Returns a dictionary as XML, its keys sorted.
    ///
    /// - Throws: ``InputError`` if Foundation can't write it.
    static func write(_ dictionary: [String: PropertyValue]) throws(InputError) -> [UInt8] {
        // Not PropertyListSerialization: where Foundation is linked statically, it refuses every array.
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return Array(try Exported.encoded { try encoder.encode(dictionary) })
    }

    private static func root(_ tag: XMLTag, _ input: FormatInput) throws(InputError) -> XMLTag {
        guard tag.name == "plist" else { return tag }
        guard tag.children.count == 1 else {
            throw input.refuse("is not a property list", line: tag.line, remedy: "give one value in <plist>")
        }
        return tag.children[0]
    }

    private static func node(_ tag: XMLTag, _ input: FormatInput) throws(InputError) -> PropertyNode {
        let content: PropertyNode.Content
        switch tag.name {
        case "dict": content = .dictionary(try dictionary(tag, input))
        case "array":
            var nodes: [PropertyNode] = []
            for child in tag.children { nodes.append(try node(child, input)) }
            content = .list(nodes)
        case "string": content = .text(tag.text)
        case "true": content = .flag(true)
        case "false": content = .flag(false)
        case "integer": content = Int64(tag.text.trimmed).map { .integer($0) } ?? .other
        case "real", "date", "data": content = .other
        default:
            throw input.refuse(
                "is not a property list: it has <\(tag.name)>", line: tag.line, remedy: "give an XML property list")
        }
        return PropertyNode(content: content, line: tag.line)
    }

    /// Reads a dictionary, and rejects duplicate keys: the last one would win silently.
    private static func dictionary(_ tag: XMLTag, _ input: FormatInput) throws(InputError) -> [String: PropertyNode] {
        var values: [String: PropertyNode] = [:]
        var index = 0
        while index < tag.children.count {
            let key = tag.children[index]
            guard key.name == "key", index + 1 < tag.children.count, tag.children[index + 1].name != "key" else {
                throw input.refuse(
                    "is not a property list: a <dict> has keys and values in turn", line: key.line,
                    remedy: "give each <key> one value")
            }
            guard values[key.text] == nil else {
                throw input.refuse("has '\(key.text)' twice", line: key.line, remedy: "keep one of them")
            }
            values[key.text] = try node(tag.children[index + 1], input)
            index += 2
        }
        return values
    }
}

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

/// A value of a property list, as far as we write it.
enum PropertyValue: Encodable {
    case flag(Bool)
    case text(String)
    case list([PropertyValue])
    case dictionary([String: PropertyValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .dictionary(let values): try container.encode(values)
        }
    }
}
