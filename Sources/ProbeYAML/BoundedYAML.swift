import ProbeKit
import Yams

/// Composes YAML with a limit on the expansion of aliases: a file of some kilobytes could expand to more values than
/// fit into memory.
///
/// Yams expands aliases while it composes, and compares the keys of each mapping by their whole content. So the values
/// are counted before, in a copy of the text in which aliases are plain words.
struct BoundedYAML {
    /// The maximum number of values that aliases may add to the written ones.
    static let maximumAdded = 100_000

    /// The replacement of an alias's sign; no YAML syntax begins with it.
    private static let marker: Character = "\u{FF0A}"

    private let file: String
    /// The kind of file, as errors name it.
    private let kind: String
    /// The number of values below each anchor that was seen.
    private var anchors: [String: Int] = [:]
    private var added = 0

    private init(file: String, kind: String) {
        self.file = file
        self.kind = kind
    }

    /// Returns the root of a document; nil if there is none.
    ///
    /// - Throws: ``InputError`` if aliases add too much, and any error of Yams.
    static func compose(_ text: String, file: String, kind: String) throws -> Node? {
        if text.utf8.contains(UInt8(ascii: "*")), text.utf8.contains(UInt8(ascii: "&")) {
            // Nodes have their anchors as long as the parser lives.
            let parser = try Yams.Parser(yaml: withoutAliases(text))
            var counting = BoundedYAML(file: file, kind: kind)
            try withExtendedLifetime(parser) {
                if let copy = try parser.singleRoot() { _ = try counting.count(copy) }
            }
        }
        return try Yams.compose(yaml: text)
    }

    private static func withoutAliases(_ text: String) -> String {
        let marker = Array(String(marker).utf8)
        return String(decoding: text.utf8.flatMap { $0 == UInt8(ascii: "*") ? marker : [$0] }, as: UTF8.self)
    }

    /// Returns the number of values that a node expands to.
    private mutating func count(_ node: Node) throws(InputError) -> Int {
        var total = 1
        switch node {
        case .scalar(let scalar):
            if let name = Self.alias(scalar) {
                total = anchors[name] ?? 1
                added += total
                guard added <= Self.maximumAdded else { throw tooMuch(node) }
            }
        case .sequence(let sequence):
            for element in sequence { total += try count(element) }
        case .mapping(let mapping):
            for (key, value) in mapping {
                guard case .scalar(let name) = key, Self.alias(name) == nil else { throw badKey(key) }
                total += try count(key) + count(value)
            }
        case .alias: break
        }
        if let anchor = node.anchor?.rawValue { anchors[anchor] = total }
        return total
    }

    /// Returns the name of the alias in a plain word.
    private static func alias(_ scalar: Node.Scalar) -> String? {
        guard scalar.style == .plain, scalar.string.first == marker else { return nil }
        return String(
            scalar.string.dropFirst().prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-"
            })
    }

    private func place(_ node: Node) -> String { file + (node.mark.map { ":\($0.line)" } ?? "") }

    private func tooMuch(_ node: Node) -> InputError {
        InputError(
            "\(place(node)): aliases add more than \(Self.maximumAdded) values to those that are written",
            remedy: "write out what is needed, or split the \(kind)", source: .file)
    }

    private func badKey(_ node: Node) -> InputError {
        InputError(
            "\(place(node)): a key is an alias, a list or a mapping", remedy: "write it as a word", source: .file)
    }
}
