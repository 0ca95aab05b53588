import ProbeKit

/// The fields of one mapping of a profile file.
struct ProfileFields {
    let node: ProfileNode
    private let entries: [String: ProfileNode]

    init(node: ProfileNode, entries: [String: ProfileNode]) {
        self.node = node
        self.entries = entries
    }

    subscript(name: String) -> ProfileNode? { entries[name] }

    /// Returns a field that has to be there.
    func required(_ name: String) throws(InputError) -> ProfileNode {
        guard let field = entries[name] else { throw node.refuse("lacks '\(name)'", remedy: "add it") }
        return field
    }

    /// Returns the result of `read` for a field, if it exists.
    func optional<Value>(
        _ name: String, _ read: (ProfileNode) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let field = entries[name] else { return nil }
        return try read(field)
    }

    /// Returns the result of `parse` for a field's text, if it exists; its errors are reported at the field.
    func parsed<Value>(
        _ name: String, _ parse: (String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        try optional(name) { field throws(InputError) in try field.parsed(parse) }
    }
}

extension ProfileNode {
    /// Returns the result of `parse` for the text; its errors are reported at this place.
    func parsed<Value>(_ parse: (String) throws(InputError) -> Value) throws(InputError) -> Value {
        let text = try text()
        do throws(InputError) {
            return try parse(text)
        } catch {
            throw refuse(error)
        }
    }
}
