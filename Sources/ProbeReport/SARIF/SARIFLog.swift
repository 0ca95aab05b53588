/// The part of a SARIF 2.1.0 log (OASIS, sections 3.13 to 3.52) that results are written in.
struct SARIFLog: Encodable, Sendable {
    struct Message: Encodable, Sendable {
        let text: String
        var markdown: String?
    }

    struct Configuration: Encodable, Sendable {
        let level: String
    }

    struct Rule: Encodable, Sendable {
        struct Properties: Encodable, Sendable {
            let tags: [String]
        }

        let id: String
        let shortDescription: Message
        let fullDescription: Message
        let help: Message
        let defaultConfiguration: Configuration
        let properties: Properties
    }

    struct Driver: Encodable, Sendable {
        let name: String
        let version: String
        let semanticVersion: String
        let rules: [Rule]
    }

    struct Tool: Encodable, Sendable {
        let driver: Driver
    }

    struct ArtifactLocation: Encodable, Sendable {
        let uri: String
        let uriBaseId: String?
    }

    struct Region: Encodable, Sendable {
        let startLine: Int
    }

    struct PhysicalLocation: Encodable, Sendable {
        let artifactLocation: ArtifactLocation
        let region: Region
    }

    struct LogicalLocation: Encodable, Sendable {
        let name: String
        let fullyQualifiedName: String
        let kind: String
    }

    struct Location: Encodable, Sendable {
        let physicalLocation: PhysicalLocation?
        let logicalLocations: [LogicalLocation]
    }

    struct Result: Encodable, Sendable {
        struct Properties: Encodable, Sendable {
            let outcome: String
            let service: String?
            let backends: [String]
        }

        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
        let partialFingerprints: [String: String]
        let properties: Properties
    }

    struct Run: Encodable, Sendable {
        let tool: Tool
        let results: [Result]
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    private let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    init(driver: Driver, results: [Result]) {
        runs = [Run(tool: Tool(driver: driver), results: results)]
    }
}
