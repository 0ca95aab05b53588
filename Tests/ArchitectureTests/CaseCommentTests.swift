import Foundation
import Testing

/// Each case that a program can switch over has a line on its meaning and that of its values.
@Suite struct CaseCommentTests {
    /// Returns the cases of public enumerations that follow no line of a doc comment. It goes by the indentation, which
    /// the formatter keeps.
    static func undocumented(in source: String) -> [String] {
        var undocumented: [String] = []
        var open: [Int] = []
        var isDocumented = false
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            let indent = line.count - text.count
            if text.hasPrefix("public") || text.hasPrefix("@"),
                text.contains(#/^(?:@\w+(?:\([^)]*\))? )*public (?:indirect )?enum [^}]*$/#)
            {
                open.append(indent)
            } else if text.hasPrefix("}"), indent == open.last {
                open.removeLast()
            } else if text.hasPrefix("case "), let last = open.last, indent == last + 4, !isDocumented {
                undocumented.append(String(text))
            }
            isDocumented = text.hasPrefix("///")
        }
        return undocumented
    }

    @Test func everyPublicCaseHasOne() throws {
        var count = 0
        for module in try SourceTree.modules() {
            for file in try SourceTree.files(of: module) {
                let source = try String(contentsOf: file, encoding: .utf8)
                count += source.split(separator: "public enum ").count - 1
                #expect(Self.undocumented(in: source) == [], "\(file.lastPathComponent)")
            }
        }
        #expect(count > 100, "\(count) enumerations were read")
    }

    @Test func undocumentedCasesAreFound() {
        let source = """
            @nonexhaustive public enum Step: Hashable {
                // Pins.
                case pin(Pin)
                /// A host.
                case host(String)
                case port

                public indirect enum Part {
                    case first
                }
                private enum Hidden {
                    case part
                }
                var text: String {
                    switch self {
                    case .port: ""
                    }
                }
            }
            enum Own {
                case alone
            }
            """
        #expect(Self.undocumented(in: source) == ["case pin(Pin)", "case port", "case first"])
    }
}
