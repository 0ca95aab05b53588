import Foundation
import ProbeConformance
import Testing

/// The page of threats names tests and cases; each of them exists.
@Suite struct ThreatModelTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let page = root.appending(path: "docs/threat-model.md")

    /// The text of the file of each suite, by the suite's name.
    private static func suites() throws -> [String: String] {
        let folder = root.appending(path: "Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        var suites: [String: String] = [:]
        for path in paths {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            for match in text.matches(of: #/(?:struct|class) (\w+Tests)\b/#) {
                suites[String(match.1), default: ""] += text
            }
        }
        return suites
    }

    @Test func everyTestOnThePageExists() throws {
        let suites = try Self.suites()
        let named = try String(contentsOf: Self.page, encoding: .utf8).matches(of: #/`(\w+Tests)(?:\.(\w+))?`/#)
        #expect(named.count > 50)
        for match in named {
            let text = suites[String(match.1)]
            #expect(text != nil, "there is no suite \(match.1)")
            if let test = match.2 { #expect(text?.contains("func \(test)(") == true, "\(match.1) has no test \(test)") }
        }
    }

    @Test func everyCaseOnThePageExists() throws {
        let known = Set((TLSScenario.all + TLSScenario.divergences).map(\.id) + DNSScenario.all.map(\.id))
        let named = try String(contentsOf: Self.page, encoding: .utf8).matches(of: #/`((?:tls|dns)\/[\w.\/-]+)`/#)
        #expect(named.count > 10)
        for match in named { #expect(known.contains(String(match.1)), "there is no case \(match.1)") }
    }

    @Test func theDoorLeadsToThePage() throws {
        let text = try String(contentsOf: Self.root.appending(path: "SECURITY.md"), encoding: .utf8)
        #expect(text.contains("(docs/threat-model.md)"))
    }
}
