import Foundation
import ProbeConformance

/// The evidence for each requirement: tests that name it, and scenarios that have it as their source.
///
/// A test names requirements at the beginning of its display name or its suite's: R and a number each, in brackets.
struct Tags {
    /// The tests and scenarios by requirement, sorted.
    private(set) var evidence: [Int: [String]] = [:]

    /// Behaviours that are a document's to show, and the heading under which it does.
    private static let documents = [78: (file: "SECURITY.md", heading: "## What is not")]

    init(testsIn folder: URL) throws {
        for (number, document) in Self.documents {
            let text = try String(contentsOf: folder.appending(path: "../\(document.file)"), encoding: .utf8)
            if text.contains("\n\(document.heading)\n") { add([number], "[\(document.file)](../\(document.file))") }
        }
        for scenario in TLSScenario.all { add(Self.numbers(in: scenario.source), "`\(scenario.id)`") }
        for scenario in DNSScenario.all { add(Self.numbers(in: scenario.source), "`\(scenario.id)`") }
        for scenario in SignatureScenario.all { add(scenario.requirements, "`\(scenario.id)`") }
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        where path.hasSuffix(".swift") {
            try read(folder.appending(path: path), path: path)
        }
        for number in evidence.keys { evidence[number]?.sort() }
    }

    /// Returns the requirements that a scenario names as its source, like `requirements 3 and 6`.
    private static func numbers(in source: String) -> [Int] {
        source.matches(of: #/requirements? (?<list>\d+(?:(?:,| and|, and) \d+)*)/#).flatMap { match in
            match.list.matches(of: #/\d+/#).compactMap { Int($0.output) }
        }
    }

    private mutating func read(_ file: URL, path: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        let tagged = #/@(?:Test|Suite)\(\s*"\[(?<tags>R\d+(?:, R\d+)*)\] [\s\S]*?(?:func|struct) (?<name>\w+)/#
        for match in text.matches(of: tagged) {
            let numbers = match.tags.split(separator: ", ").compactMap { Int($0.dropFirst()) }
            add(numbers, "`\(match.name)` ([\(path.split(separator: "/").last ?? "")](../Tests/\(path)))")
        }
    }

    private mutating func add(_ numbers: [Int], _ name: String) {
        for number in numbers where !(evidence[number]?.contains(name) ?? false) {
            evidence[number, default: []].append(name)
        }
    }
}
