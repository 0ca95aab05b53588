import Foundation
import ProbeKit
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeReport

/// Results as code scanning takes them: one for each finding, however many backends have it.
@Suite struct SARIFReportTests {
    private static func expired(_ stack: String) -> Finding {
        .error(.trustFailed, code: "expired", stage: .trust, "it ended (\(stack) 10)", fix: "renew the certificate")
    }

    private static let tool = SARIFTool(
        name: "mine", version: "1.2.3", evidence: "mine --all", advice: ["expired": "Use --renew."])

    private static func document(_ results: [ProbeResult], source: SARIFSource?) throws -> [String: Any] {
        let json = SARIFReport(results, source: source, tool: tool).json
        return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private static func found(_ document: [String: Any]) throws -> [[String: Any]] {
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        return try #require(run["results"] as? [[String: Any]])
    }

    /// Writes a file in a repository.
    private static func source(_ text: String, name: String = "app.yaml") throws -> SARIFSource {
        try ScratchFolder.withURL { folder in
            let file = folder.appending(path: "ci/\(name)")
            for place in [file.deletingLastPathComponent(), folder.appending(path: ".git")] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            try text.write(to: file, atomically: true, encoding: .utf8)
            return try #require(SARIFSource(file: file.path, environment: [:]))
        }
    }

    private static let results = ["openssl", "gnutls", "nio"].map { stack in
        GivenResult.of(
            stack,
            [
                expired(stack), .warning("no-scts", stage: .trust, "there are none", fix: "log it"),
                .note("seen", stage: .tls, "it was"),
            ] + (stack == "nio" ? [.error(.pinMismatch, stage: .pins, "no pin", fix: "pin it")] : []),
            service: "api")
    }

    @Test func itKeepsToTheSchema() throws {
        let source = try Self.source("profile: 1\nservices:\n  api: {url: \"https://good.test\"}\n")
        let document = try Self.document(Self.results, source: source)
        #expect(try SARIFSchema.load().violations(in: document) == [])
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["version"] as? String == "1.2.3" && driver["name"] as? String == "mine")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(Set(rules.compactMap { $0["id"] as? String }).count == rules.count)
        for rule in rules {
            let help = try #require(rule["help"] as? [String: String])
            #expect(help["text"]?.hasSuffix(" Run 'mine --all' on the host for the evidence.") == true)
            #expect(help["markdown"]?.hasSuffix("\n\nRun `mine --all` on the host for the evidence.") == true)
            // A program's own advice is for the code that it names.
            #expect(help["text"]?.contains("Use --renew.") == (rule["id"] as? String == "expired"))
        }
        for result in try Self.found(document) {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
        }
        #expect(try SARIFSchema.load().violations(in: try Self.document([], source: nil)) == [])
    }

    /// The check above sees what is missing, and what is too much.
    @Test func theSchemaRefusesWhatIsNotSARIF() throws {
        let schema = try SARIFSchema.load()
        // Without a file there is no place that code scanning could show.
        let homeless = try Self.document(Self.results, source: nil)
        #expect(schema.violations(in: homeless).contains { $0.hasSuffix("lacks physicalLocation") })
        var document = try Self.document(Self.results, source: try Self.source("good.test"))
        document["results"] = [String]()
        #expect(!schema.violations(in: document).isEmpty)
    }

    @Test func aResultIsAFindingAndNotABackend() throws {
        let found = try Self.found(try Self.document(Self.results, source: nil))
        #expect(found.map { $0["ruleId"] as? String } == ["expired", "no-scts", "pin-mismatch"])
        let backends = found.compactMap { ($0["properties"] as? [String: Any])?["backends"] as? [String] }
        #expect(backends == [["openssl", "gnutls", "nio"], ["openssl", "gnutls", "nio"], ["nio"]])
        let text = try #require((found.last?["message"] as? [String: String])?["text"])
        #expect(text == "good.test:443: nio: no pin. Fix: pin it")
    }

    /// A rule is as serious as the worst that was found by it.
    @Test func aWarningsRuleIsNoError() throws {
        let run = try #require((try Self.document(Self.results, source: nil)["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let levels = try #require(driver["rules"] as? [[String: Any]]).map {
            ($0["defaultConfiguration"] as? [String: String])?["level"]
        }
        #expect(levels == ["error", "warning", "error"])
    }

    @Test func fingerprintsAreStable() throws {
        func fingerprints(_ results: [ProbeResult]) throws -> [[String: String]] {
            try Self.found(try Self.document(results, source: nil)).compactMap {
                $0["partialFingerprints"] as? [String: String]
            }
        }
        let first = try fingerprints(Self.results)
        #expect(Set(first.compactMap { $0["primaryLocationLineHash"] }).count == 3)
        // Fewer backends, in another order and other words.
        let other = Self.results.suffix(2).reversed().map { result in
            GivenResult.of("x", [Self.expired("x")] + result.verdict.findings.dropFirst(), service: "api")
        }
        #expect(Set(try fingerprints(other)) == Set(first))
    }

    @Test(arguments: [
        ("profile: 1\nhosts:\n  - host: good.test\n", 3), ("# xgood.test good.test.example\nhost: GOOD.test\n", 2),
        ("a\nb\n", 1),
        ("services:\n  web: {url: \"https://good.test\"}\n  api:\n    url: https://good.test/v1\n", 4),
    ])
    func theLineNamesTheHost(text: String, line: Int) throws {
        let source = try Self.source(text, name: "a b.yaml")
        let result = try #require(try Self.found(try Self.document(Self.results, source: source)).first)
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        let physical = try #require(location["physicalLocation"] as? [String: [String: Any]])
        #expect(physical["artifactLocation"]?["uri"] as? String == "ci/a%20b.yaml")
        #expect(physical["artifactLocation"]?["uriBaseId"] as? String == "%SRCROOT%")
        #expect(physical["region"]?["startLine"] as? Int == line)
        let logical = try #require((location["logicalLocations"] as? [[String: String]])?.first)
        #expect(logical["fullyQualifiedName"] == "tls://good.test:443")
    }

    /// The rule that reaches a host may be of a name above it.
    @Test(
        arguments: [
            ("<plist>\n<key>example.com</key>", "api.example.com:443", 2),
            ("a\nb\n.add(\"*.example.com\", pin)", "api.example.com:443", 3),
            ("**.example.com\nexample.com", "a.b.example.com:443", 1),
            ("example.com\nb.example.com", "a.b.example.com:443", 2), ("other.com\ncom", "a.example.com:443", 1),
            ("\nnot-example.com", "a.example.com:443", 1), ("\n0.2.1", "192.0.2.1:443", 1),
        ])
    func aRuleAboveIsFound(text: String, subject: String, line: Int) throws {
        #expect(try Self.source(text).line(naming: subject, service: nil) == line)
    }

    /// No line has the label of a service of a named environment, and other environments have services of its name.
    @Test(arguments: [("staging/api", 4), ("production/api", 9), ("production/web", 7), ("eu/west/api", 11)])
    func aServiceIsFoundInItsEnvironment(label: String, line: Int) throws {
        let text = """
            environments:
              staging:
                services:
                  api: {url: "https://good.test"}
              production:
                services:
                  web: {url: "https://good.test"}
                  api:
                    url: https://good.test/v1
              eu/west: {services: {
                api: {url: "https://good.test"}}}
            """
        #expect(try Self.source(text).line(naming: "good.test:443", service: label) == line)
    }

    /// A runner names its workspace by a link, and the current folder has the path behind it.
    @Test func aWorkspaceBehindALinkIsTheSame() throws {
        let manager = FileManager.default
        try ScratchFolder.withURL { folder in
            let (real, link) = (folder.appending(path: "real").path, folder.appending(path: "link").path)
            try manager.createDirectory(atPath: "\(real)/ci", withIntermediateDirectories: true)
            try manager.createSymbolicLink(atPath: link, withDestinationPath: real)
            try "good.test".write(toFile: "\(real)/app.yaml", atomically: true, encoding: .utf8)
            try manager.createSymbolicLink(atPath: "\(real)/ci/app.yaml", withDestinationPath: "\(real)/app.yaml")
            for (file, root) in [(real, link), (link, real), (real, real), (link, link)] {
                let source = SARIFSource(file: "\(file)/ci/app.yaml", environment: ["CI_PROJECT_DIR": root])
                #expect(source?.uri == "ci/app.yaml" && source?.isInRepository == true, "\(source?.uri ?? "none")")
            }
        }
        let whole = try #require(SARIFSource(file: "/etc/passwd", environment: ["CI_PROJECT_DIR": "/"]))
        #expect(whole.uri == "etc/passwd" && whole.isInRepository)
    }

    @Test func theWorkflowStandsInForAProfile() throws {
        let github = try #require(
            SARIFSource(workflowOf: ["GITHUB_WORKFLOW_REF": "me/app/.github/workflows/tls.yml@refs/heads/main"]))
        #expect(github.uri == ".github/workflows/tls.yml" && github.isInRepository)
        #expect(github.line(naming: "good.test:443", service: nil) == 1)
        #expect(SARIFSource(workflowOf: ["CI_CONFIG_PATH": ".gitlab-ci.yml"])?.uri == ".gitlab-ci.yml")
        #expect(SARIFSource(workflowOf: [:]) == nil)
        #expect(SARIFSource(file: "/dev/null", environment: [:]) == nil)
        let outside = try #require(SARIFSource(file: "/etc/passwd", environment: ["GITHUB_WORKSPACE": "/work"]))
        #expect(outside.uri == "file:///etc/passwd" && !outside.isInRepository)
    }
}
