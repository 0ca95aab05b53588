import ProbeKit
import ProbeYAML
import Testing

/// A text that is written is read back as it is.
@Suite struct YAMLValueTests {
    @Test func everyTextIsReadBack() throws {
        let texts = [
            "word", "no", "1.2", "", "~", "a: b", "# none", "two\nlines", "*x", "&y", " wide ", "\u{1F600}", "\"", "'",
        ]
        let text = try YAMLValue.map([("texts", .list(texts.map(YAMLValue.text)))]).serialized()
        let read = try YAMLNode(yaml: text, file: "a.yaml", kind: "list", content: "its items")
            .fields("list", ["texts"]).required("texts").list { element throws(InputError) in try element.text() }
        #expect(read == texts)
    }

    /// Other readers guess types.
    @Test func wordsThatCouldBeValuesAreQuoted() throws {
        let text = try YAMLValue.map([
            ("name", .text("app")), ("off", .text("no")), ("flag", .flag(true)), ("count", .number(3)),
            ("versions", .list([.text("1.2")])),
        ]).serialized()
        #expect(text == "name: app\n\"off\": \"no\"\nflag: true\ncount: 3\nversions:\n- \"1.2\"\n")
    }
}
