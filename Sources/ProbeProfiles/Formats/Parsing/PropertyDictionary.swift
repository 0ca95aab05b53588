import ProbeKit

/// A dictionary of a property list, with its path for errors.
struct PropertyDictionary {
    private let values: [String: PropertyNode]
    private let input: FormatInput
    let path: String
    private let line: Int?

    init(_ values: [String: PropertyNode], path: String, line: Int? = nil, _ input: FormatInput) {
        self.values = values
        self.path = path
        self.line = line
        self.input = input
    }

    /// The keys, sorted: property lists have no order.
    var keys: [String] { values.keys.sorted() }

    func has(_ key: String) -> Bool { values[key] != nil }

    func dictionary(_ key: String) throws(InputError) -> PropertyDictionary? {
        try value(key, "a dictionary") { node in
            node.dictionary.map { PropertyDictionary($0, path: place(key), line: node.line, input) }
        }
    }

    func flag(_ key: String) throws(InputError) -> Bool? {
        try value(key, "<true/> or <false/>") { if case .flag(let flag) = $0.content { flag } else { nil } }
    }

    /// Returns a flag like Foundation's `boolValue`, for numbers and texts too.
    func boolValue(_ key: String) throws(InputError) -> Bool? {
        try value(key, "<true/> or <false/>") { node in
            switch node.content {
            case .flag(let flag): flag
            case .integer(let number): number != 0
            case .text(let text): Self.boolValue(of: text)
            case .list, .dictionary, .other: nil
            }
        }
    }

    func text(_ key: String) throws(InputError) -> String? { try value(key, "a <string>", Self.text) }

    func texts(_ key: String) throws(InputError) -> [String]? {
        try value(key, "an <array> of strings") { node in
            guard case .list(let nodes) = node.content else { return nil }
            let texts = nodes.compactMap(Self.text)
            return texts.count == nodes.count ? texts : nil
        }
    }

    func dictionaries(_ key: String) throws(InputError) -> [PropertyDictionary]? {
        try value(key, "an <array> of dictionaries") { node in
            guard case .list(let nodes) = node.content else { return nil }
            let dictionaries = nodes.enumerated().compactMap { index, node in
                node.dictionary.map {
                    PropertyDictionary($0, path: "\(place(key))[\(index)]", line: node.line, input)
                }
            }
            return dictionaries.count == nodes.count ? dictionaries : nil
        }
    }

    /// Returns an error about this place.
    func refuse(_ reason: String, remedy: String) -> InputError {
        input.refuse("\(path.isEmpty ? "" : "\(path) ")\(reason)", line: line, remedy: remedy)
    }

    /// Returns warnings about unknown keys, with the key that may have been meant.
    func notes(onKeysBut known: [String], reader: String) -> [FormatNote] {
        keys.filter { !known.contains($0) }.map { key in
            let hint = NearestWord.question(for: key, among: known).map { "; \($0)" } ?? ""
            return .warning("unknown-key", "\(path): \(reader) does not read '\(key)'\(hint)")
        }
    }

    private func place(_ key: String) -> String { "\(path)\(path.isEmpty ? "" : ".")\(key)" }

    private func value<Value>(
        _ key: String, _ kind: String, _ convert: (PropertyNode) -> Value?
    ) throws(InputError) -> Value? {
        guard let node = values[key] else { return nil }
        guard let value = convert(node) else {
            throw input.refuse(
                "\(path.isEmpty ? "" : "\(path) ")has a '\(key)' that is not \(kind)", line: node.line,
                remedy: "write it so")
        }
        return value
    }

    private static func text(_ node: PropertyNode) -> String? {
        if case .text(let text) = node.content { text } else { nil }
    }

    /// Returns the value of `NSString.boolValue`: true for a text that begins with Y, T or a digit other than 0, after
    /// blanks, a sign and zeros.
    private static func boolValue(of text: String) -> Bool {
        var rest = text.drop(while: \.isWhitespace)
        if let sign = rest.first, "+-".contains(sign) { rest = rest.dropFirst() }
        return rest.drop { $0 == "0" }.first.map { "YyTt123456789".contains($0) } ?? false
    }
}
