import ProbeKit
import Yams

/// A place in a profile file: a value, with its name in errors.
///
/// Scalars are read as they are written, not as YAML would guess: `off` and `1.2` are words.
struct ProfileNode {
    private let node: Node
    /// The file, as errors name it.
    let file: String
    /// The way from the top of the file, like `services.api.url`.
    let path: String

    init(_ node: Node, file: String, path: String) {
        self.node = node
        self.file = file
        self.path = path
    }

    /// Returns the text of a scalar.
    func text() throws(InputError) -> String {
        guard case .scalar(let scalar) = node else { throw refuse("is not a single value") }
        guard !isNull else { throw refuse("is empty", remedy: "give it a value, or leave it out") }
        return scalar.string
    }

    /// Returns one of the words an enumeration has.
    func word<Word: RawRepresentable & CaseIterable>(_: Word.Type = Word.self) throws(InputError) -> Word
    where Word.RawValue == String {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue)
            let hint = NearestWord.of(text, among: known).map { "did you mean '\($0)'? " } ?? ""
            throw refuse("is '\(text)'", remedy: "\(hint)choose \(known.joined(separator: ", "))")
        }
        return word
    }

    func flag() throws(InputError) -> Bool {
        switch try text() {
        case "true", "yes": true
        case "false", "no": false
        case let text: throw refuse("is '\(text)'", remedy: "write true or false")
        }
    }

    func number(in range: ClosedRange<Int>) throws(InputError) -> Int {
        let text = try text()
        guard let number = Int(text), range.contains(number) else {
            throw refuse("is '\(text)'", remedy: "write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the elements of a list; a single value is a list of one.
    func list() throws(InputError) -> [ProfileNode] {
        guard case .sequence(let sequence) = node else {
            guard case .scalar = node, !isNull else { throw refuse("is not a list") }
            return [self]
        }
        return sequence.enumerated().map { ProfileNode($0.element, file: file, path: "\(path)[\($0.offset)]") }
    }

    /// Returns the results of `read` for each element.
    func list<Value>(_ read: (ProfileNode) throws(InputError) -> Value) throws(InputError) -> [Value] {
        var values: [Value] = []
        for element in try list() { values.append(try read(element)) }
        return values
    }

    /// Returns the entries of a mapping whose keys are names, in the order of the file.
    func named() throws(InputError) -> [(name: String, value: ProfileNode)] {
        guard case .mapping(let mapping) = node else { throw refuse("is not a mapping of names") }
        var entries: [(name: String, value: ProfileNode)] = []
        for (key, value) in mapping {
            guard let name = key.string, !name.isEmpty else { throw refuse("has a key that is no name") }
            entries.append((name, ProfileNode(value, file: file, path: path.isEmpty ? name : "\(path).\(name)")))
        }
        return entries
    }

    /// Returns the fields of a mapping, all of which have to be known.
    ///
    /// - Parameter kind: the name of the mapping in errors.
    func fields(_ kind: String, _ known: [String]) throws(InputError) -> ProfileFields {
        guard case .mapping = node else { throw refuse("is no \(kind)", remedy: "write its keys and values") }
        let entries = try named()
        for (name, value) in entries where !known.contains(name) {
            let hint = NearestWord.of(name, among: known).map { "did you mean '\($0)'?" }
            throw value.refuse(
                "is no key of a \(kind)", remedy: hint ?? "the keys of a \(kind) are \(known.joined(separator: ", "))")
        }
        return ProfileFields(
            node: self,
            entries: Dictionary(entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }

    var isScalar: Bool { if case .scalar = node { true } else { false } }

    private var isNull: Bool {
        guard case .scalar(let scalar) = node else { return false }
        return scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
    }

    /// Returns an error about this place.
    func refuse(_ reason: String, remedy: String = "see the profile's schema") -> InputError {
        let line = node.mark.map { ":\($0.line)" } ?? ""
        let subject = path.isEmpty ? "it" : "'\(path)'"
        return InputError("\(file)\(line): \(subject) \(reason)", remedy: remedy, source: .file)
    }

    /// Returns an error of a nested value, reported at this place.
    func refuse(_ error: InputError) -> InputError { refuse("can't be used: \(error.message)", remedy: error.remedy) }
}

/// The fields of one mapping of a profile file.
struct ProfileFields {
    let node: ProfileNode
    private let entries: [String: ProfileNode]

    init(node: ProfileNode, entries: [String: ProfileNode]) {
        self.node = node
        self.entries = entries
    }

    subscript(name: String) -> ProfileNode? { entries[name] }

    /// Returns a field that has to be there.
    func required(_ name: String) throws(InputError) -> ProfileNode {
        guard let field = entries[name] else { throw node.refuse("lacks '\(name)'", remedy: "add it") }
        return field
    }

    /// Returns the result of `read` for a field, if it exists.
    func optional<Value>(
        _ name: String, _ read: (ProfileNode) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let field = entries[name] else { return nil }
        return try read(field)
    }

    /// Returns the result of `parse` for a field's text, if it exists; its errors are reported at the field.
    func parsed<Value>(
        _ name: String, _ parse: (String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        try optional(name) { field throws(InputError) in try field.parsed(parse) }
    }
}

extension ProfileNode {
    /// Returns the result of `parse` for the text; its errors are reported at this place.
    func parsed<Value>(_ parse: (String) throws(InputError) -> Value) throws(InputError) -> Value {
        let text = try text()
        do throws(InputError) {
            return try parse(text)
        } catch {
            throw refuse(error)
        }
    }
}
