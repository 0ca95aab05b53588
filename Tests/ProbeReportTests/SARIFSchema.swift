import Foundation
import ProbeTestSupport

/// The rules of SARIF 2.1.0 (OASIS Standard, sections 3.13 to 3.52) for the objects that we write, and those that code
/// scanning adds: a result has a physical location with a line, and fingerprints. The whole schema is not here: of each
/// object only the properties that we use are listed, and no others are allowed.
enum SARIFSchema {
    static func load() throws -> Schema {
        let all = ["$defs": definitions, "$ref": "#/$defs/log"] as [String: Any]
        // Foundation's own types throughout, as those of the value that is checked.
        let data = try JSONSerialization.data(withJSONObject: all)
        return Schema(root: try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
    }

    /// An object's properties by their types: a JSON type, `[NAME]` for a list of an object of ours, or its name alone.
    private static func object(_ properties: [String: Any], optional: [String] = []) -> [String: Any] {
        [
            "type": "object", "additionalProperties": false, "properties": properties.mapValues(type),
            "required": properties.keys.filter { !optional.contains($0) },
        ]
    }

    private static func type(_ value: Any) -> [String: Any] {
        switch value {
        case let values as [String]: ["enum": values]
        case let name as String where name.hasSuffix("s]"):
            ["type": "array", "items": ["$ref": "#/$defs/\(name.dropFirst().dropLast(2))"]]
        case let name as String where ["string", "integer", "object"].contains(name): ["type": name]
        case let name as String: ["$ref": "#/$defs/\(name)"]
        default: [:]
        }
    }

    private static let levels = ["none", "note", "warning", "error"]

    private static var definitions: [String: Any] {
        [
            "log": object(["$schema": "string", "version": ["2.1.0"], "runs": "[runs]"]),
            "run": object(["tool": "tool", "results": "[results]"]), "tool": object(["driver": "driver"]),
            "driver": object([
                "name": "string", "version": "string", "semanticVersion": "string", "rules": "[rules]",
            ]),
            "rule": object([
                "id": "string", "shortDescription": "message", "fullDescription": "message", "help": "help",
                "defaultConfiguration": "configuration", "properties": "object",
            ]),
            "configuration": object(["level": levels]), "message": object(["text": "string"]),
            "help": object(["text": "string", "markdown": "string"]),
            "result": object([
                "ruleId": "string", "ruleIndex": "integer", "level": levels, "message": "message",
                "locations": "[locations]", "partialFingerprints": "fingerprints", "properties": "object",
            ]),
            "fingerprints": ["type": "object", "additionalProperties": ["type": "string"]],
            "location": object(["physicalLocation": "physicalLocation", "logicalLocations": "[logicalLocations]"]),
            "physicalLocation": object(["artifactLocation": "artifactLocation", "region": "region"]),
            "artifactLocation": object(["uri": "string", "uriBaseId": "string"], optional: ["uriBaseId"]),
            "region": object(["startLine": "integer"]),
            "logicalLocation": object(["name": "string", "fullyQualifiedName": "string", "kind": "string"]),
        ]
    }
}
