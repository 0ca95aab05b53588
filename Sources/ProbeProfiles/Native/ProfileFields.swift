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

    /// A field that has to be there.
    func required(_ name: String) throws(InputError) -> ProfileNode {
        guard let field = entries[name] else { throw node.refuse("lacks '\(name)'", remedy: "add it") }
        return field
    }

    /// What `read` makes of a field, where there is one.
    func optional<Value>(
        _ name: String, _ read: (ProfileNode) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let field = entries[name] else { return nil }
        return try read(field)
    }

    /// What `parse` makes of a field's text, where there is one; its errors are told at the field.
    func parsed<Value>(
        _ name: String, _ parse: (String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        try optional(name) { field throws(InputError) in try field.parsed(parse) }
    }
}

extension ProfileNode {
    /// What `parse` makes of the text; its errors are told at this place.
    func parsed<Value>(_ parse: (String) throws(InputError) -> Value) throws(InputError) -> Value {
        let text = try text()
        do throws(InputError) {
            return try parse(text)
        } catch {
            throw refuse(error)
        }
    }
}
