package import ProbeKit
import Yams

/// A place in a YAML file: a value, with its name in errors.
///
/// Scalars are read as they are written, not as YAML would guess: `off` and `1.2` are words. Every error is an ``InputError``
/// with the source `file` that begins with the file, the line if there is one, and the way to the place, like
/// `app.yaml:4: 'services.api.url'`.
package struct YAMLNode {
    private let node: Node
    /// The line of the key it stands behind, where it has one: a mapping begins on the line after it.
    private let keyLine: Int?
    /// The file, as errors name it.
    private let file: String
    /// The way from the top of the file, like `services.api.url`.
    private let path: String

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
    ///   - kind: the kind of file, as errors name it: a noun without an article.
    ///   - content: what to write into an empty one.
    /// - Throws: ``InputError`` if the text is empty or not YAML, has a key twice, or has aliases that add more than
    ///   100,000 values to the written ones.
    package init(yaml text: String, file: String, kind: String, content: String) throws(InputError) {
        let root: Node?
        do {
            root = try BoundedYAML.compose(text, file: file, kind: kind)
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
        guard let root else { throw InputError("\(file) is empty", remedy: "write \(content)", source: .file) }
        self.init(root, file: file, path: "")
    }

    /// Returns the text of a scalar.
    package func text() throws(InputError) -> String {
        guard case .scalar(let scalar) = node else { throw refuse("is not a single value") }
        guard !isNull else { throw refuse("is empty", remedy: "give it a value, or leave it out") }
        return scalar.string
    }

    /// Returns the result of `parse` for the text; its errors are reported at this place.
    package func parsed<Value>(_ parse: (String) throws(InputError) -> Value) throws(InputError) -> Value {
        let text = try text()
        do throws(InputError) {
            return try parse(text)
        } catch {
            throw refuse(error)
        }
    }

    /// Returns one of the words an enumeration has.
    package func word<Word: RawRepresentable & CaseIterable>(_: Word.Type = Word.self) throws(InputError) -> Word
    where Word.RawValue == String {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue)
            let hint = NearestWord.hint(for: text, among: known)
            throw refuse("is '\(text)'", remedy: "\(hint)choose \(known.joined(separator: ", "))")
        }
        return word
    }

    /// Returns a flag: `true`, `yes`, `false` or `no`.
    package func flag() throws(InputError) -> Bool {
        switch try text() {
        case "true", "yes": true
        case "false", "no": false
        case let text: throw refuse("is '\(text)'", remedy: "write true or false")
        }
    }

    /// Returns a whole number in decimal digits.
    package func number(in range: ClosedRange<Int>) throws(InputError) -> Int {
        let text = try text()
        guard let number = Int(decimal: text), range.contains(number) else {
            throw refuse("is '\(text)'", remedy: "write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the elements of a list; a single value is a list of one.
    package func list() throws(InputError) -> [YAMLNode] {
        guard case .sequence(let sequence) = node else {
            guard case .scalar = node, !isNull else { throw refuse("is not a list") }
            return [self]
        }
        return sequence.enumerated().map { YAMLNode($0.element, file: file, path: "\(path)[\($0.offset)]") }
    }

    /// Returns the results of `read` for each element.
    package func list<Value>(_ read: (YAMLNode) throws(InputError) -> Value) throws(InputError) -> [Value] {
        var values: [Value] = []
        for element in try list() { values.append(try read(element)) }
        return values
    }

    /// Returns the entries of a mapping whose keys are names, in the order of the file.
    ///
    /// - Throws: ``InputError`` for a name that is there twice, perhaps with a tag or quotes that tell the keys apart.
    package func named() throws(InputError) -> [(name: String, value: YAMLNode)] {
        guard case .mapping(let mapping) = node else { throw refuse("is not a mapping of names") }
        var entries: [(name: String, value: YAMLNode)] = []
        var names: Set<String> = []
        for (key, value) in mapping {
            guard let name = key.string, !name.isEmpty else { throw refuse("has a key that is not a name") }
            let value = YAMLNode(
                value, keyLine: key.mark?.line, file: file, path: path.isEmpty ? name : "\(path).\(name)")
            guard names.insert(name).inserted else { throw value.refuse("is there twice", remedy: "keep one of them") }
            entries.append((name, value))
        }
        return entries
    }

    /// Returns the fields of a mapping, all of which have to be known.
    ///
    /// - Parameter kind: the name of the mapping in errors.
    package func fields(_ kind: String, _ known: [String]) throws(InputError) -> YAMLFields {
        guard case .mapping = node else { throw refuse("is not a \(kind)", remedy: "write its keys and values") }
        let entries = try named()
        for (name, value) in entries where !known.contains(name) {
            throw value.refuse(
                "is not a key of a \(kind)",
                remedy: NearestWord.question(for: name, among: known)
                    ?? "the keys of a \(kind) are \(known.joined(separator: ", "))")
        }
        return YAMLFields(
            node: self,
            entries: Dictionary(entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }

    /// True if it is a single value, neither a list nor a mapping.
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
    package func refuse(_ error: InputError) -> InputError {
        refuse("can't be used: \(error.message)", remedy: error.remedy)
    }
}
