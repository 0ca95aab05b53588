import ProbeKit
import ProbeTestSupport
import ProbeYAML
import Testing

/// The expanded size of a file is bounded, whatever its own size.
@Suite struct BoundedYAMLTests {
    private static func error(_ text: String) -> InputError? {
        do throws(InputError) {
            _ = try YAMLNode(yaml: text, file: "a.yaml", kind: "fleet", content: "its members")
            return nil
        } catch {
            return error
        }
    }

    /// A few hundred bytes that expand to billions.
    @Test(.bounded) func aliasesDoNotExplode() throws {
        let bomb = (1...9).reduce("a0: &a0 [x, x, x, x, x, x, x, x, x]\n") { text, level in
            text + "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", "))]\n"
        }
        let error = try #require(Self.error(bomb))
        #expect(error.message == "a.yaml:6: aliases add more than 100000 values to those that are written")
        #expect(error.remedy == "write out what is needed, or split the fleet")
    }

    /// Yams compares keys by all that is in them, before anybody can count.
    @Test func aliasesAsKeysAreRefused() throws {
        var text = "x0: &a0 [a, a]\n"
        for level in 1...60 { text += "x\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(try #require(Self.error(text + "? *a60\n: 1\n")).message.contains("100000"))
        #expect(try #require(Self.error("x: &a [b]\n? *a\n: 1\n")).message.contains("a key is an alias"))
    }

    @Test func anOrdinaryAliasIsRead() throws {
        let file = try YAMLNode(yaml: "one: &a [x, y]\ntwo: *a", file: "a.yaml", kind: "fleet", content: "its members")
        let two = try file.fields("fleet", ["one", "two"]).required("two")
        #expect(try two.list { element throws(InputError) in try element.text() } == ["x", "y"])
    }
}
