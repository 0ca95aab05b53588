import Foundation

/// The keywords of JSON Schema 2020-12 (Validation, section 6) that our schemas use of a value itself.
extension Schema {
    /// Those that are checked, and those that describe and demand nothing.
    private static let keywords: Set = [
        "$ref", "oneOf", "type", "enum", "const", "pattern", "minimum", "minItems", "required", "properties",
        "additionalProperties", "items", "$defs", "$schema", "$id", "title", "description",
    ]

    /// Returns the keywords of a schema, and of the schemas in it, that are not checked, each with its place.
    static func unchecked(_ schema: Any, at path: String) -> [String] {
        guard let schema = schema as? [String: Any] else { return ["the schema at \(path) is not an object"] }
        var found = schema.keys.filter { !keywords.contains($0) }.sorted()
            .map { "the schema at \(path) has the keyword \($0), which is not checked" }
        for keyword in ["properties", "$defs"] {
            for (name, member) in schema[keyword] as? [String: Any] ?? [:] {
                found += unchecked(member, at: "\(path)/\(keyword)/\(name)")
            }
        }
        for (index, choice) in (schema["oneOf"] as? [Any] ?? []).enumerated() {
            found += unchecked(choice, at: "\(path)/oneOf/\(index)")
        }
        if let items = schema["items"] { found += unchecked(items, at: "\(path)/items") }
        if let further = schema["additionalProperties"], !(further is Bool) {
            found += unchecked(further, at: "\(path)/additionalProperties")
        }
        return found
    }

    /// Returns the violations in a value of the keywords that look at it alone, and not at its members or elements.
    static func faults(of value: Any, _ schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        if let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map({ [$0] }),
            !types.contains(where: { matches(value, $0) })
        {
            found.append("\(path) is not \(types.joined(separator: " or "))")
        }
        if let allowed = schema["enum"] as? [Any], !allowed.contains(where: { isEqual($0, value) }) {
            found.append("\(path) is \(value), which is not listed")
        }
        if let constant = schema["const"], !isEqual(constant, value) {
            found.append("\(path) is \(value)")
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String, !contains(text, pattern) {
            found.append("\(path) is '\(text)', which has not the form \(pattern)")
        }
        if let least = schema["minimum"] as? NSNumber, let value = number(value), value < least.doubleValue {
            found.append("\(path) is \(value), less than \(least)")
        }
        if let least = schema["minItems"] as? Int, let list = value as? [Any], list.count < least {
            found.append("\(path) has \(list.count) elements, fewer than \(least)")
        }
        return found
    }

    private static func matches(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "null": value is NSNull
        case "string": value is String
        case "array": value is [Any]
        case "object": value is [String: Any]
        case "boolean": isBoolean(value)
        case "number": number(value) != nil
        // 1.0 is one, by section 6.1.1.
        case "integer": number(value).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    /// A pattern is searched for: it may match anywhere, unless it has anchors of its own (section 6.3.3). One that can't be
    /// read matches nothing.
    private static func contains(_ text: String, _ pattern: String) -> Bool {
        guard let expression = try? Regex(pattern) else { return false }
        return text.contains(expression.matchingSemantics(.unicodeScalar))
    }

    private static func number(_ value: Any) -> Double? { isBoolean(value) ? nil : (value as? NSNumber)?.doubleValue }

    /// Foundation casts 0 and 1 to `Bool`, and `true` to a number; by its type each is what it was in the text.
    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return unsafe String(cString: number.objCType) == String(cString: NSNumber(value: true).objCType)
    }

    private static func isEqual(_ one: Any, _ other: Any) -> Bool {
        isBoolean(one) == isBoolean(other) && one as? NSObject == other as? NSObject
    }
}
