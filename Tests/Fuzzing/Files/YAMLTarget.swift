import FuzzBytes
import ProbeKit
import ProbeYAML

extension FuzzTarget {
    /// A YAML file, value by value: two readings agree, aliases add no more values than they may, and every error names the file.
    static let yamlNode = FuzzTarget("yaml-node", upTo: 4096) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let first = try values(of: text)
        try hold(try values(of: text) == first, "two readings of one file differ")
        // A byte begins fewer than four values, of which a key is one.
        try hold(first.count <= 4 * (bytes.count + 1) + 100_000, "aliases add \(first.count) values")
    }

    /// Returns the values of a file in its order; none if it is refused.
    private static func values(of text: String) throws -> [String] {
        var values: [String] = []
        let root = try read { () throws(InputError) in
            try YAMLNode(yaml: text, file: "the input", kind: "file", content: "a value")
        }
        if let root { try collect(root, into: &values) }
        return values
    }

    private static func collect(_ node: YAMLNode, into values: inout [String]) throws {
        if node.isScalar {
            values.append(try read { () throws(InputError) in try node.text() } ?? "none")
        } else if let elements = try? node.list() {
            values.append("list")
            for element in elements { try collect(element, into: &values) }
        } else if let entries = try read({ () throws(InputError) in try node.named() }) {
            values.append("mapping")
            for (name, value) in entries {
                values.append(name)
                try collect(value, into: &values)
            }
        }
    }

    /// Returns the result of a reading; nil if it is refused.
    private static func read<Value>(_ body: () throws(InputError) -> Value) throws -> Value? {
        do throws(InputError) {
            return try body()
        } catch {
            try hold(error.message.hasPrefix("the input"), "an error does not name the file: \(error.message)")
            return nil
        }
    }
}
