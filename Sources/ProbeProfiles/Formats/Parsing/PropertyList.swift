import Foundation
import ProbeKit

/// XML property lists.
///
/// Binary ones are refused: an object can be used many times in them, so that a few bytes unfold to any number.
enum PropertyList {
    /// The dictionary that a file is.
    ///
    /// - Throws: ``InputError`` where it is none, or says a key twice.
    static func read(_ input: FormatInput) throws(InputError) -> [String: Any] {
        guard !input.bytes.starts(with: Array("bplist".utf8)) else {
            throw input.refuse(
                "is a binary property list", remedy: "write it as XML with 'plutil -convert xml1' or 'plistutil -f xml'"
            )
        }
        try refuseRepeatedKeys(try XMLTree.read(input), input)
        let value: Any
        do {
            value = try unsafe PropertyListSerialization.propertyList(from: Data(input.bytes), options: [], format: nil)
        } catch {
            throw input.refuse("is no property list", remedy: "give an XML property list")
        }
        guard let dictionary = value as? [String: Any] else {
            throw input.refuse("is no dictionary", remedy: "give a property list whose top is a <dict>")
        }
        return dictionary
    }

    /// A dictionary as XML.
    static func write(_ dictionary: [String: Any]) -> [UInt8] {
        // Strings, flags, lists and dictionaries always serialise.
        Array((try? PropertyListSerialization.data(fromPropertyList: dictionary, format: .xml, options: 0)) ?? Data())
    }

    /// The last of two would win, and nobody would see the first.
    private static func refuseRepeatedKeys(_ tag: XMLTag, _ input: FormatInput) throws(InputError) {
        if tag.name == "dict" {
            var seen: Set<String> = []
            for key in tag.children(named: "key") where !seen.insert(key.text).inserted {
                throw input.refuse("says '\(key.text)' twice", line: key.line, remedy: "keep one of them")
            }
        }
        for child in tag.children { try refuseRepeatedKeys(child, input) }
    }
}

/// A dictionary of a property list, with the way to it for errors.
struct PropertyDictionary {
    private let values: [String: Any]
    private let input: FormatInput
    let path: String

    init(_ values: [String: Any], path: String, _ input: FormatInput) {
        self.values = values
        self.path = path
        self.input = input
    }

    /// The keys, sorted: property lists have no order.
    var keys: [String] { values.keys.sorted() }

    func dictionary(_ key: String) throws(InputError) -> PropertyDictionary? {
        try value(key, "a dictionary").map {
            PropertyDictionary($0, path: "\(path)\(path.isEmpty ? "" : ".")\(key)", input)
        }
    }

    func flag(_ key: String) throws(InputError) -> Bool? { try value(key, "<true/> or <false/>") }

    func text(_ key: String) throws(InputError) -> String? { try value(key, "a <string>") }

    func texts(_ key: String) throws(InputError) -> [String]? { try value(key, "an <array> of strings") }

    func dictionaries(_ key: String) throws(InputError) -> [PropertyDictionary]? {
        let list: [[String: Any]]? = try value(key, "an <array> of dictionaries")
        return list?.enumerated().map { PropertyDictionary($0.element, path: "\(path).\(key)[\($0.offset)]", input) }
    }

    /// An error about this place.
    func refuse(_ reason: String, remedy: String) -> InputError {
        input.refuse("\(path.isEmpty ? "" : "\(path) ")\(reason)", remedy: remedy)
    }

    /// Warnings about keys that nobody reads, with what may have been meant.
    func notes(onKeysBut known: [String], reader: String) -> [FormatNote] {
        keys.filter { !known.contains($0) }.map { key in
            let hint = NearestWord.of(key, among: known).map { "; did you mean '\($0)'?" } ?? ""
            return .warning("unknown-key", "\(path): \(reader) does not read '\(key)'\(hint)")
        }
    }

    private func value<Value>(_ key: String, _ kind: String) throws(InputError) -> Value? {
        guard let any = values[key] else { return nil }
        guard let value = any as? Value else {
            throw refuse("has a '\(key)' that is not \(kind)", remedy: "write it so")
        }
        return value
    }
}
