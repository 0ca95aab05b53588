import Foundation
import Testing

/// No remedy weakens a check: every `fix:` and `remedy:` of the sources is read.
@Suite struct RemedyTests {
    /// Advice that makes a check pass by asking for less.
    private static let weakening = [
        "--trust native", "--trust reference", "trust: native", "trust: reference", "lower --", "lower the",
        "--min-tls", "leave out the option", "leave out --", "or leave out", "without --", "--insecure", "pinning: off",
        "accept that", "turn off", "turn it off", "disable", "--dnssec off", "dnssec: off", "skip", "ignore",
        "unlistedHost: system",
        "afterExpiry",
    ]

    /// Remedies that contain such words and do not weaken a check, with the reason.
    private static let reviewed: [String: String] = [
        "write afterExpiry: ignore where the check should read like the client":
            "a lint beside a file whose clients stop looking at that date",
        "\\(advice), or set unlistedHost: system if its clients do not pin it":
            "says what the clients do, under that condition",
    ]

    /// Returns the texts of remedies in a source: literals after the labels, and those of functions and values named
    /// `fix`.
    private static func remedies(in source: String) -> [String] {
        let literal = #"(?:[^"\\\n]|\\.)*"#
        var texts: [String] = []
        for pattern in [
            #"(?:fix|remedy):\s*(?:[A-Za-z0-9_.!&|=? \n]*\?\s*)?"("# + literal + #")""#,
            #"(?:fix|remedy)(?:: Fix)?\s*=\s*"("# + literal + #")""#,
        ] {
            guard let expression = try? Regex(pattern, as: (Substring, Substring).self) else { continue }
            texts += source.matches(of: expression).map { String($0.output.1) }
        }
        // The cases of a function that chooses the remedy.
        let functions = ["func fix(", "func words("].flatMap { source.components(separatedBy: $0).dropFirst() }
        for function in functions {
            let body = function.components(separatedBy: "\n    }").first ?? ""
            guard let expression = try? Regex("\"(" + literal + ")\"", as: (Substring, Substring).self) else {
                continue
            }
            texts += body.matches(of: expression).map { String($0.output.1) }
        }
        return texts
    }

    @Test func noRemedyWeakensACheck() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            for remedy in Self.remedies(in: try String(contentsOf: file, encoding: .utf8)) {
                count += 1
                guard Self.reviewed[remedy] == nil else { continue }
                let found = Self.weakening.filter { remedy.localizedCaseInsensitiveContains($0) }
                #expect(found.isEmpty, "\(file.lastPathComponent): \"\(remedy)\"")
            }
        }
        #expect(count > 300, "\(count) remedies were found")
    }

    /// The reader finds the forms used in the sources, and the ones it has to reject.
    @Test func remediesAreFound() {
        let source = """
            throw InputError("x", remedy: "one")
            .error(.x, fix:
                "two, or \\(x)")
            let fix: Fix = "three"
            private static func fix(_ code: Code) -> String {
                switch code {
                case .a: "four"
                }
            }
            """
        #expect(Set(Self.remedies(in: source)) == ["one", #"two, or \(x)"#, "three", "four"])
    }
}
