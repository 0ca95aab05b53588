import Foundation
import ProbeTestSupport
import Testing

/// The checker of our published schemas: without a check of its own a test that finds no violation shows nothing.
@Suite(.bounded) struct SchemaTests {
    private static func parsed(_ json: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    }

    private static func schema(_ json: String) throws -> Schema {
        Schema(root: try #require(try parsed(json) as? [String: Any]))
    }

    /// A schema, values that keep to it, and values that do not.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kept: [String]
        let broken: [String]

        init(_ schema: String, kept: [String], broken: [String]) {
            testDescription = schema
            self.kept = kept
            self.broken = broken
        }
    }

    @Test(
        "each keyword refuses the values that break it",
        arguments: [
            Example(#"{"type": "integer"}"#, kept: ["1", "-1", "1.0"], broken: ["1.5", "true", #""1""#, "null"]),
            Example(#"{"type": "number"}"#, kept: ["1", "1.5"], broken: ["false", #""1""#]),
            Example(#"{"type": "boolean"}"#, kept: ["true", "false"], broken: ["1", "0", "null"]),
            Example(#"{"type": ["string", "null"]}"#, kept: [#""a""#, "null"], broken: ["1", "[]", "{}"]),
            Example(#"{"type": "array"}"#, kept: ["[]"], broken: ["{}"]),
            Example(#"{"type": "object"}"#, kept: ["{}"], broken: ["[]"]),
            Example(#"{"enum": ["a", 1]}"#, kept: [#""a""#, "1"], broken: [#""b""#, "true", "2"]),
            Example(#"{"const": 1}"#, kept: ["1"], broken: ["2", "true", "null"]),
            Example(
                #"{"pattern": "^[0-9a-f]{2}$"}"#, kept: [#""0f""#, "1"],
                broken: [#""0g""#, #""0F""#, #""0""#, #""0f0""#, #""0f\n""#]),
            Example(#"{"pattern": "b"}"#, kept: [#""abc""#], broken: [#""ac""#]),
            Example(#"{"minimum": 1}"#, kept: ["1", "2.5", #""0""#], broken: ["0", "0.5", "-3"]),
            Example(#"{"minItems": 1}"#, kept: ["[0]", "{}"], broken: ["[]"]),
            Example(#"{"required": ["a"]}"#, kept: [#"{"a": null}"#, "[]"], broken: ["{}"]),
            Example(#"{"properties": {"a": {"minimum": 1}}}"#, kept: [#"{"b": 0}"#], broken: [#"{"a": 0}"#]),
            Example(#"{"additionalProperties": false}"#, kept: ["{}"], broken: [#"{"a": 0}"#]),
            Example(#"{"additionalProperties": {"minimum": 1}}"#, kept: [#"{"a": 1}"#], broken: [#"{"a": 0}"#]),
            Example(#"{"items": {"minimum": 1}}"#, kept: ["[]", "[1, 2]"], broken: ["[1, 0]"]),
            Example(#"{"oneOf": [{"minimum": 1}, {"minimum": 3}]}"#, kept: ["2"], broken: ["0", "4"]),
            Example(
                ##"{"$ref": "#/$defs/a", "type": "integer", "$defs": {"a": {"minimum": 1}}}"##, kept: ["1"],
                broken: ["0", "1.5"]),
        ]) func keywords(_ example: Example) throws
    {
        let schema = try Self.schema(example.testDescription)
        for value in example.kept { #expect(schema.violations(in: try Self.parsed(value)) == [], "\(value)") }
        for value in example.broken { #expect(schema.violations(in: try Self.parsed(value)) != [], "\(value)") }
    }

    @Test(
        "a keyword that is not checked is a violation, wherever it is",
        arguments: [
            #"{"maximum": 1}"#, #"{"properties": {"a": {"maximum": 1}}}"#, #"{"$defs": {"a": {"maximum": 1}}}"#,
            #"{"items": {"maximum": 1}}"#, #"{"additionalProperties": {"maximum": 1}}"#,
            #"{"oneOf": [{}, {"maximum": 1}]}"#,
            #"{"items": false}"#,
        ]) func unknown(_ json: String) throws
    {
        let schema = try Self.schema(json)
        #expect(schema.unchecked.count == 1)
        #expect(schema.violations(in: NSNull()).contains(schema.unchecked.joined()))
    }

    @Test("every published schema is checked whole") func published() throws {
        let names = try Schema.names()
        #expect(!names.isEmpty)
        for name in names { #expect(try Schema.load(name).unchecked == [], "\(name)") }
    }
}
