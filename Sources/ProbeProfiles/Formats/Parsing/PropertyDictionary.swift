import ProbeKit

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
