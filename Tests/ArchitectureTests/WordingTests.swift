import Foundation
import Testing

/// Messages and doc comments keep to the forms that the rest of the program has.
@Suite struct WordingTests {
    /// Returns the places where a text has "is no" for "is not a", or "is none" for "is not one".
    static func archaisms(in text: String) -> [String] {
        guard SourceTree.contains(text, anyOf: [" no"]) else { return [] }
        return text.matches(of: #/(\S+ )?\b(?:is|are|was|were) (?:no|none)\b( \w+)?/#)
            .filter { match in
                let (before, after) = (match.1?.lowercased() ?? "", match.2 ?? "")
                return !before.hasSuffix("there ") && ![" longer", " more"].contains(after)
            }
            .map { String($0.0) }
    }

    /// Returns the doc comments that begin with a question word, and not with a noun phrase or a verb.
    static func questions(in source: String) -> [String] {
        var questions: [String] = []
        var isWithin = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop(while: \.isWhitespace)
            let isComment = text.hasPrefix("///")
            if isComment, !isWithin, text.starts(with: #/\/\/\/ (?:What|How|Where|Whether|Why)\b/#) {
                questions.append(String(text))
            }
            isWithin = isComment
        }
        return questions
    }

    @Test func theSourcesKeepToThem() throws {
        var count = 0
        for module in try SourceTree.modules() {
            for file in try SourceTree.files(of: module) {
                count += 1
                let source = try String(contentsOf: file, encoding: .utf8)
                let (name, literals) = (file.lastPathComponent, OptionWordTests.literals(in: source))
                #expect(Self.questions(in: source) == [], "\(name)")
                #expect(literals.flatMap(Self.archaisms) == [], "\(name)")
                // Hints are made in one place.
                #expect(
                    !literals.contains { $0.contains("did you mean") } || name == "NearestWord.swift", "\(name)")
            }
        }
        #expect(count > 300, "\(count) files were read")
    }

    /// A limit may cut a password from its host, by which it is known: `InputError.quoting` blanks it before.
    static func cutQuotes(in source: String) -> [String] {
        guard SourceTree.contains(source, anyOf: [".prefix("]) else { return [] }
        return source.matches(of: #/'\\\([^'\n]*\.prefix\(/#).map { String($0.0) }
    }

    @Test func quotedInputsAreBlankedBeforeTheyAreCut() throws {
        for module in try SourceTree.modules() {
            // A program's output, byte by byte, is not an input.
            for file in try SourceTree.files(of: module) where file.lastPathComponent != "GarbledLine.swift" {
                let source = try String(contentsOf: file, encoding: .utf8)
                #expect(Self.cutQuotes(in: source) == [], "\(file.lastPathComponent)")
            }
        }
        #expect(Self.cutQuotes(in: #"throw E("'\(text.prefix(40))' is")"#).count == 1)
        #expect(Self.cutQuotes(in: #"let a = "(\(text.prefix(40)))"; b("'\(text)' is")"#) == [])
    }

    @Test(arguments: [
        ("A name is no address.", ["name is no address"]), ("and \\(target) is none", ["\\(target) is none"]),
        ("There is no reply, and if there are none it is no longer asked for", [String]()),
        ("it is not one", [String]()),
    ])
    func archaismsAreFound(text: String, found: [String]) {
        #expect(Self.archaisms(in: text) == found)
    }

    @Test func questionsAreFound() {
        let source = """
            /// Whether it works.
            let works = true
                /// Why it does not.
            /// True if it works.
            /// Whether it did before does not matter.
            """
        #expect(Self.questions(in: source) == ["/// Whether it works.", "/// Why it does not."])
    }
}
