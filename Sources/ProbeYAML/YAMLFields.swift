package import ProbeKit

/// The fields of one mapping of a YAML file.
package struct YAMLFields {
    /// The mapping itself.
    package let node: YAMLNode
    private let entries: [String: YAMLNode]

    init(node: YAMLNode, entries: [String: YAMLNode]) {
        self.node = node
        self.entries = entries
    }

    /// The field of that name; nil if there is none.
    package subscript(name: String) -> YAMLNode? { entries[name] }

    /// Returns a field that has to be there.
    package func required(_ name: String) throws(InputError) -> YAMLNode {
        guard let field = entries[name] else { throw node.refuse("lacks '\(name)'", remedy: "add it") }
        return field
    }

    /// Returns the result of `read` for a field, if it exists.
    package func optional<Value>(
        _ name: String, _ read: (YAMLNode) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let field = entries[name] else { return nil }
        return try read(field)
    }

    /// Returns the result of `parse` for a field's text, if it exists; its errors are reported at the field.
    package func parsed<Value>(
        _ name: String, _ parse: (String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        try optional(name) { field throws(InputError) in try field.parsed(parse) }
    }
}
