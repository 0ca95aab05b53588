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

    /// A dictionary as XML, its keys sorted.
    ///
    /// - Throws: ``InputError`` where Foundation can't write it.
    static func write(_ dictionary: [String: PropertyValue]) throws(InputError) -> [UInt8] {
        // Not PropertyListSerialization: where Foundation is linked statically, it refuses every array.
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return Array(try Exported.encoded { try encoder.encode(dictionary) })
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
