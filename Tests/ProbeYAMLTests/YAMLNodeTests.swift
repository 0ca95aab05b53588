import ProbeKit
import ProbeYAML
import Testing

/// The values of a file, and the place of each in errors.
@Suite struct YAMLNodeTests {
    private static func read(_ text: String) throws(InputError) -> YAMLNode {
        try YAMLNode(yaml: text, file: "a.yaml", kind: "list", content: "its items")
    }

    private static func error(_ read: () throws(InputError) -> Void) -> InputError? {
        do throws(InputError) {
            try read()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a file that can't be read is refused with a remedy",
        arguments: [
            ("", "a.yaml is empty", "write its items"),
            ("items: [1", "a.yaml is neither YAML nor JSON: ", "fix it there"),
            ("one: 1\none: 2", "a.yaml:1: 'one' is there twice", "keep one of them"),
            ("one: &a [b]\n? *a\n: 1\n", "a.yaml:2: a key is an alias", "write it as a word"),
        ])
    func broken(text: String, message: String, remedy: String) throws {
        let error = try #require(Self.error { () throws(InputError) in _ = try Self.read(text) })
        #expect(error.message.hasPrefix(message), "\(error)")
        #expect(error.remedy == remedy)
        #expect(error.source == .file)
    }

    /// An unknown key is reported at its own line, not at that of what stands below it.
    @Test(arguments: [
        ("nested:\n      a: 1", "services.api.nested"), ("lists:\n\n      - a\n      - b", "services.api.lists"),
        ("# a comment\n    word: x", "services.api.word"), ("empty:", "services.api.empty"),
    ])
    func unknownKeysHaveTheirLine(text: String, path: String) throws {
        let file = "services:\n  api:\n    url: https://a.example\n    \(text)\n"
        let line = file.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains(path.split(separator: ".").last.map { $0 + ":" } ?? "") }
        let services = try Self.read(file).fields("list", ["services"]).required("services").named()
        let error = Self.error { () throws(InputError) in
            for (_, service) in services { _ = try service.fields("service", ["url"]) }
        }
        #expect(
            error?.message == "a.yaml:\(try #require(line) + 1): '\(path)' is not a key of a service",
            "\(error as Any)")
    }

    /// YAML takes keys of several types or tags for different ones, and a name is what they have in common.
    @Test(arguments: ["1: a\n\"1\": b", "true: a\n'true': b", "one: a\n!x one: b"])
    func namesAreThereOnce(text: String) throws {
        let node = try Self.read(text)
        let error = try #require(Self.error { () throws(InputError) in _ = try node.named() })
        #expect(error.message.hasPrefix("a.yaml:2: '") && error.message.hasSuffix("' is there twice"), "\(error)")
    }

    @Test func anElementHasItsNumber() throws {
        let items = try Self.read("items:\n  - {name: x}\n  - {name: y}").fields("list", ["items"])
            .required("items").list()
        let name = try #require(items.last).fields("item", ["name"]).required("name")
        #expect(name.refuse("is odd").message == "a.yaml:3: 'items[1].name' is odd")
        let inner = InputError("y is odd", remedy: "write x")
        #expect(name.refuse(inner).description.contains("'items[1].name' can't be used: y is odd"))
    }

    /// YAML would read these as flags, numbers and nothing; they are words.
    @Test func wordsStayWords() throws {
        let words = try Self.read("[no, on, 1.20, 0x1f, 'null', \"\"]").list { word throws(InputError) in
            try word.text()
        }
        #expect(words == ["no", "on", "1.20", "0x1f", "null", ""])
    }

    @Test(
        "a value of another kind is named with its place",
        arguments: [
            ("a:", "'a' is empty"), ("a: ~", "'a' is empty"), ("a: [1]", "'a' is not a single value"),
            ("a: 1.0", "'a' is '1.0'"), ("a: 11", "'a' is '11'"),
        ])
    func otherKinds(text: String, message: String) throws {
        let field = try Self.read(text).fields("list", ["a"]).required("a")
        let error = Self.error { () throws(InputError) in _ = try field.number(in: 1...10) }
        #expect(error?.message == "a.yaml:1: \(message)")
    }
}
