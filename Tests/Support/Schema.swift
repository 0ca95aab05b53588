import Foundation

/// A published JSON schema, checked as far as our schemas go: types, enums, constants, required and further keys,
/// choices and definitions.
public struct Schema {
    /// The schema as in its file.
    public let root: [String: Any]

    /// Creates a schema from what its JSON was parsed into.
    public init(root: [String: Any]) {
        self.root = root
    }

    /// Returns the schema of a file in `Schemas`.
    public static func load(_ name: String) throws -> Schema {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "Schemas")
        let data = try Data(contentsOf: folder.appending(path: name))
        return Schema(root: try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:])
    }

    /// Returns the violations of the schema in a value; empty if it is valid.
    public func violations(in value: Any) -> [String] { violations(value, root, at: "$") }

    private func violations(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let name = String(reference.trimmingPrefix("#/$defs/"))
            guard let definition = (root["$defs"] as? [String: [String: Any]])?[name] else {
                return ["the schema has no \(name)"]
            }
            return violations(value, definition, at: path)
        }
        var found: [String] = []
        if let choices = schema["oneOf"] as? [[String: Any]] {
            let faults = choices.map { violations(value, $0, at: path) }
            if faults.count(where: \.isEmpty) != 1 {
                found.append("\(path) is not one of \(choices.count): \(faults.min { $0.count < $1.count } ?? [])")
            }
        }
        if let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map({ [$0] }),
            !types.contains(where: { Self.matches(value, $0) })
        {
            found.append("\(path) is not \(types.joined(separator: " or "))")
        }
        if let allowed = schema["enum"] as? [Any],
            !allowed.contains(where: { ($0 as? NSObject) == (value as? NSObject) })
        {
            found.append("\(path) is \(value), which is not listed")
        }
        if let constant = schema["const"] as? NSObject, constant != value as? NSObject {
            found.append("\(path) is \(value)")
        }
        if let object = value as? [String: Any] {
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            for key in schema["required"] as? [String] ?? [] where object[key] == nil {
                found.append("\(path) lacks \(key)")
            }
            for (key, member) in object {
                if let property = properties[key] {
                    found += violations(member, property, at: "\(path).\(key)")
                } else if let further = schema["additionalProperties"] as? [String: Any] {
                    found += violations(member, further, at: "\(path).\(key)")
                } else if schema["additionalProperties"] as? Bool == false {
                    found.append("\(path) has \(key), which the schema does not know")
                }
            }
        }
        if let items = schema["items"] as? [String: Any] {
            for (index, element) in (value as? [Any] ?? []).enumerated() {
                found += violations(element, items, at: "\(path)[\(index)]")
            }
        }
        return found
    }

    private static func matches(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "null": value is NSNull
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        case "boolean": value is Bool
        case "integer", "number": value is NSNumber
        default: false
        }
    }
}

/// It holds parsed JSON.
@available(*, unavailable)
extension Schema: Sendable {}
