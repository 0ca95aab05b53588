import Foundation

/// A published JSON schema, checked as far as our schemas go. A keyword that is not checked is a violation itself: a schema would
/// demand what no test looks at.
public struct Schema {
    /// The schema as in its file.
    public let root: [String: Any]
    /// The keywords of the schema that are not checked, each with its place; empty for one that is checked whole.
    public let unchecked: [String]

    /// Creates a schema from what its JSON was parsed into.
    public init(root: [String: Any]) {
        self.root = root
        unchecked = Self.unchecked(root, at: "#")
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Schemas")

    /// Returns the names of all files in `Schemas`.
    public static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    /// Returns the schema of a file in `Schemas`.
    public static func load(_ name: String) throws -> Schema {
        let data = try Data(contentsOf: folder.appending(path: name))
        return Schema(root: try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
    }

    /// Returns the violations of the schema in a value; empty if it is valid.
    public func violations(in value: Any) -> [String] { unchecked + violations(value, root, at: "$") }

    private func violations(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        referred(value, schema, at: path) + chosen(value, schema, at: path) + Self.faults(of: value, schema, at: path)
            + members(value, schema, at: path) + elements(value, schema, at: path)
    }

    private func referred(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let reference = schema["$ref"] as? String else { return [] }
        let name = String(reference.trimmingPrefix("#/$defs/"))
        guard let definition = (root["$defs"] as? [String: [String: Any]])?[name] else {
            return ["the schema has no \(name)"]
        }
        return violations(value, definition, at: path)
    }

    private func chosen(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let choices = schema["oneOf"] as? [[String: Any]] else { return [] }
        let faults = choices.map { violations(value, $0, at: path) }
        if faults.count(where: \.isEmpty) == 1 { return [] }
        return ["\(path) is not one of \(choices.count): \(faults.min { $0.count < $1.count } ?? [])"]
    }

    private func members(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let object = value as? [String: Any] else { return [] }
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path) lacks \($0)" }
        for (key, member) in object {
            if let property = properties[key] {
                found += violations(member, property, at: "\(path).\(key)")
            } else if let further = schema["additionalProperties"] as? [String: Any] {
                found += violations(member, further, at: "\(path).\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(path) has \(key), which the schema does not know")
            }
        }
        return found
    }

    private func elements(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        guard let items = schema["items"] as? [String: Any], let list = value as? [Any] else { return [] }
        return list.enumerated().flatMap { violations($1, items, at: "\(path)[\($0)]") }
    }
}

/// It holds parsed JSON.
@available(*, unavailable)
extension Schema: Sendable {}
