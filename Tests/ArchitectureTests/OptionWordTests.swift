import Foundation
import Testing

/// Options are words of the command: a library names what is to be given, and the command says how (`FixWords`).
@Suite struct OptionWordTests {
    /// The modules that are the command's own.
    private static let command: Set = ["ProbeCommand", "ProbeBench", "ProbeConformanceTesting", "probe"]
    /// Options of other programs.
    private static let others = [
        "bundletool build-apks --mode universal",
        "trust extract --format=pem-bundle --filter=ca-anchors --purpose=server-auth",
    ]

    @Test func librariesNameNoOptions() throws {
        var count = 0
        for module in try SourceTree.modules() where !Self.command.contains(module) {
            for file in try SourceTree.files(of: module) {
                count += 1
                for literal in Self.literals(in: try String(contentsOf: file, encoding: .utf8))
                where SourceTree.contains(literal, anyOf: ["--"]) {
                    let text = Self.others.reduce(literal) { $0.replacing($1, with: "") }
                    #expect(!text.contains(#/(?:^|[\s'(])--[a-z]/#), "\(file.lastPathComponent): \(literal)")
                }
            }
        }
        #expect(count > 300, "\(count) files were read")
    }

    @Test func literalsAreFound() {
        #expect(Self.literals(in: #"f("a --b", "\(c) --d") // "e""#) == ["a --b", #"\(c) --d"#, "e"])
    }

    /// Returns the literals of one line each, without comments of whole lines.
    static func literals(in source: String) -> [String] {
        source.split(separator: "\n")
            .filter { SourceTree.contains($0, anyOf: ["\""]) && !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            .flatMap { $0.matches(of: #/"((?:[^"\\]|\\.)*)"/#).map { String($0.1) } }
    }
}
