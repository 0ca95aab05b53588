package import ProbeKit
import Yams

/// A place in a profile file: a value, with its name in errors.
///
/// Scalars are read as they are written, not as YAML would guess: `off` and `1.2` are words.
package struct ProfileNode {
    private let node: Node
    /// The line of the key it stands behind, where it has one: a mapping begins on the line after it.
    private let keyLine: Int?
    /// The file, as errors name it.
    package let file: String
    /// The way from the top of the file, like `services.api.url`.
    package let path: String

    init(_ node: Node, keyLine: Int? = nil, file: String, path: String) {
        self.node = node
        self.keyLine = keyLine
        self.file = file
        self.path = path
    }

    /// Reads the top of a YAML file, of which JSON is a part.
    ///
    /// - Parameters:
    ///   - file: the file, as errors name it.
    ///   - kind: what to write into an empty one.
    package init(yaml text: String, file: String, kind: String) throws(InputError) {
        let root: Node?
        do {
            root = try BoundedYAML.compose(text, file: file)
        } catch let error as InputError {
            throw error
        } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
            let key = PrintableText.escape(keys.first ?? "")
            throw InputError(
                "\(file):\(context.mark.line): '\(key)' is there twice", remedy: "keep one of them", source: .file)
        } catch {
            let reason = "\(error)".split(separator: "\n").first.map(String.init) ?? "it can't be read"
            throw InputError("\(file) is neither YAML nor JSON: \(reason)", remedy: "fix it there", source: .file)
        }
        guard let root else { throw InputError("\(file) is empty", remedy: "write \(kind)", source: .file) }
        self.init(root, file: file, path: "")
    }

    /// Returns the text of a scalar.
    package func text() throws(InputError) -> String {
        guard case .scalar(let scalar) = node else { throw refuse("is not a single value") }
        guard !isNull else { throw refuse("is empty", remedy: "give it a value, or leave it out") }
        return scalar.string
    }

    /// Returns one of the words an enumeration has.
    package func word<Word: RawRepresentable & CaseIterable>(_: Word.Type = Word.self) throws(InputError) -> Word
    where Word.RawValue == String {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue)
            let hint = NearestWord.of(text, among: known).map { "did you mean '\($0)'? " } ?? ""
            throw refuse("is '\(text)'", remedy: "\(hint)choose \(known.joined(separator: ", "))")
        }
        return word
    }

    package func flag() throws(InputError) -> Bool {
        switch try text() {
        case "true", "yes": true
        case "false", "no": false
        case let text: throw refuse("is '\(text)'", remedy: "write true or false")
        }
    }

    package func number(in range: ClosedRange<Int>) throws(InputError) -> Int {
        let text = try text()
        guard let number = Int(decimal: text), range.contains(number) else {
            throw refuse("is '\(text)'", remedy: "write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the elements of a list; a single value is a list of one.
    package func list() throws(InputError) -> [ProfileNode] {
        guard case .sequence(let sequence) = node else {
            guard case .scalar = node, !isNull else { throw refuse("is not a list") }
            return [self]
        }
        return sequence.enumerated().map { ProfileNode($0.element, file: file, path: "\(path)[\($0.offset)]") }
    }

    /// Returns the results of `read` for each element.
    package func list<Value>(_ read: (ProfileNode) throws(InputError) -> Value) throws(InputError) -> [Value] {
        var values: [Value] = []
        for element in try list() { values.append(try read(element)) }
        return values
    }

    /// Returns the entries of a mapping whose keys are names, in the order of the file.
    package func named() throws(InputError) -> [(name: String, value: ProfileNode)] {
        guard case .mapping(let mapping) = node else { throw refuse("is not a mapping of names") }
        var entries: [(name: String, value: ProfileNode)] = []
        for (key, value) in mapping {
            guard let name = key.string, !name.isEmpty else { throw refuse("has a key that is not a name") }
            let value = ProfileNode(
                value, keyLine: key.mark?.line, file: file, path: path.isEmpty ? name : "\(path).\(name)")
            entries.append((name, value))
        }
        return entries
    }

    /// Returns the fields of a mapping, all of which have to be known.
    ///
    /// - Parameter kind: the name of the mapping in errors.
    package func fields(_ kind: String, _ known: [String]) throws(InputError) -> ProfileFields {
        guard case .mapping = node else { throw refuse("is not a \(kind)", remedy: "write its keys and values") }
        let entries = try named()
        for (name, value) in entries where !known.contains(name) {
            let hint = NearestWord.of(name, among: known).map { "did you mean '\($0)'?" }
            throw value.refuse(
                "is not a key of a \(kind)",
                remedy: hint ?? "the keys of a \(kind) are \(known.joined(separator: ", "))")
        }
        return ProfileFields(
            node: self,
            entries: Dictionary(entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }

    package var isScalar: Bool { if case .scalar = node { true } else { false } }

    private var isNull: Bool {
        guard case .scalar(let scalar) = node else { return false }
        return scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
    }

    /// Returns an error about this place.
    package func refuse(_ reason: String, remedy: String = "see the schema of such a file") -> InputError {
        let line = (keyLine ?? node.mark?.line).map { ":\($0)" } ?? ""
        let subject = path.isEmpty ? "it" : "'\(path)'"
        return InputError("\(file)\(line): \(subject) \(reason)", remedy: remedy, source: .file)
    }

    /// Returns an error of a nested value, reported at this place.
    func refuse(_ error: InputError) -> InputError { refuse("can't be used: \(error.message)", remedy: error.remedy) }
}

/// The fields of one mapping of a profile file.
package struct ProfileFields {
    package let node: ProfileNode
    private let entries: [String: ProfileNode]

    init(node: ProfileNode, entries: [String: ProfileNode]) {
        self.node = node
        self.entries = entries
    }

    package subscript(name: String) -> ProfileNode? { entries[name] }

    /// Returns a field that has to be there.
    package func required(_ name: String) throws(InputError) -> ProfileNode {
        guard let field = entries[name] else { throw node.refuse("lacks '\(name)'", remedy: "add it") }
        return field
    }

    /// Returns the result of `read` for a field, if it exists.
    package func optional<Value>(
        _ name: String, _ read: (ProfileNode) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let field = entries[name] else { return nil }
        return try read(field)
    }

    /// Returns the result of `parse` for a field's text, if it exists; its errors are reported at the field.
    package func parsed<Value>(
        _ name: String, _ parse: (String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        try optional(name) { field throws(InputError) in try field.parsed(parse) }
    }
}

extension ProfileNode {
    /// Returns the result of `parse` for the text; its errors are reported at this place.
    package func parsed<Value>(_ parse: (String) throws(InputError) -> Value) throws(InputError) -> Value {
        let text = try text()
        do throws(InputError) {
            return try parse(text)
        } catch {
            throw refuse(error)
        }
    }
}
