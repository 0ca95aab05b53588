import ProbeKit
import ProbeRun

/// Results as SARIF 2.1.0: one result for each finding that is an error or a warning.
struct SARIFReport: Encodable {
    struct Message: Encodable {
        let text: String
    }

    struct Rule: Encodable {
        let id: String
    }

    struct Driver: Encodable {
        let name = "probe"
        let rules: [Rule]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct ArtifactLocation: Encodable {
        let uri: String
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
    }

    struct Location: Encodable {
        let physicalLocation: PhysicalLocation
    }

    struct Result: Encodable {
        let ruleId: String
        let level: String
        let message: Message
        let locations: [Location]
        let properties: [String: String]
    }

    struct Run: Encodable {
        let tool: Tool
        let results: [Result]
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    private let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    init(_ results: [ProbeResult]) {
        let entries = results.flatMap(Self.entries)
        let rules = Set(entries.map(\.ruleId)).sorted().map(Rule.init)
        runs = [Run(tool: Tool(driver: Driver(rules: rules)), results: entries)]
    }

    private static func entries(_ result: ProbeResult) -> [Result] {
        let scheme = result.evidence.connection == nil ? "dns" : "tls"
        let location = Location(
            physicalLocation: PhysicalLocation(artifactLocation: ArtifactLocation(uri: "\(scheme)://\(result.subject)"))
        )
        var properties = ["outcome": result.verdict.outcome.rawValue]
        properties["transport"] = result.evidence.connection?.transport.name
        properties["resolver"] = result.evidence.model?.resolver.name
        return result.verdict.findings.filter { $0.severity != .note }.map { finding in
            Result(
                ruleId: finding.code, level: finding.severity.rawValue,
                message: Message(text: "\(finding.message). Fix: \(finding.fix)"), locations: [location],
                properties: properties)
        }
    }
}
