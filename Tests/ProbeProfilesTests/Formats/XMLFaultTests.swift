import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// XML that is broken, with the line of the first fault; and that is not, though it looks like it.
@Suite(.bounded) struct XMLFaultTests {
    private static func read(_ text: String) throws -> Imported {
        try ProfileFormat.android.read(Array(text.utf8), FormatContext(path: "f"))
    }

    /// A configuration with some text in its third line.
    private static func config(_ line: String) -> String {
        "<network-security-config>\n<domain-config>\n\(line)\n</domain-config>\n\n\n</network-security-config>\n"
    }

    @Test(
        "broken XML is reported at its first fault",
        arguments: [
            (config("<domain>a.test</domian>"), 3), (config("<domain x=1>a.test</domain>"), 3),
            (config("<domain>a & b</domain>"), 3), (config("<!-- a -- b -->"), 3), (config("<domain>&x;</domain>"), 3),
            (config("<domain>a.test</domain>") + "<x/>\n\n", 8), (config("<domain>a.test</domain>") + "\nx\n\n", 9),
            // After faults, libxml2 takes other text for comments.
            (config("<domain x='<!--'>") + "-->", 3), ("<network-security-config", 1),
        ])
    func faults(text: String, line: Int) throws {
        let error = try #require(throws: InputError.self) { try Self.read(text) }
        #expect(error.message == "f:\(line) is broken XML", "\(error)")
    }

    @Test(
        "declarations in a comment are not made",
        arguments: ["<!ENTITY x \"y\">", "<!DOCTYPE a [ <!ENTITY x \"y\"> ]>"])
    func declarationsInComments(text: String) throws {
        let expected = try Self.read(Samples.android)
        let parts = Samples.android.split(separator: "\n", maxSplits: 1)
        #expect(try Self.read("\(parts[0])<!-- \(text) -->\n\(parts[1])") == expected)
        #expect(try Self.read("\(parts[0])<?x \(text) ?>\n\(parts[1])") == expected)
        #expect(try Self.read(Samples.android + "<!-- \(text) -->") == expected)
    }

    /// Each is read as a declaration by libxml2, which goes on after faults.
    @Test(
        "declarations are refused however they are hidden",
        arguments: [
            "<!DOCTYPE a [<!ENTITY x 'y'>]>", "<!DOCTYPE a SYSTEM '<!--' [<!ENTITY x 'y'>]>",
            "<!DOCTYPE a SYSTEM '>' [<!ENTITY x 'y'>]>", "<!DOCTYPE a PUBLIC '\"' \"> [<!ENTITY x 'y'>]>",
            "<!DOCTYPE a>[<!ENTITY x 'y'>]>", "<!DOCTYPE[<!ENTITY x 'y'>]>",
            "<!-- --><?x <!-- ?>\n<!DOCTYPE a [<!ENTITY x 'y'>]>",
            "<?xml --><!DOCTYPE a [<!ENTITY x 'y'>]>", " <?xml --> ?><!DOCTYPE a [<!ENTITY x 'y'>]>",
        ])
    func hiddenDeclarations(prolog: String) throws {
        let error = try #require(throws: InputError.self) {
            try Self.read("\(prolog)<network-security-config>&x;</network-security-config><!-- ?> -->")
        }
        #expect(error.message == "f declares XML entities")
    }

    /// Warnings of libxml2, and prefixes without a namespace, are not faults of the XML.
    @Test(arguments: [
        "<network-security-config xmlns='config'/>", "<?xml version='1.1'?><network-security-config/>",
        "<network-security-config tools:ignore='x'/>", "<network-security-config xml:space='x'/>",
    ])
    func warningsAreNoFaults(text: String) throws {
        #expect(try Self.read(text).profile.hosts.isEmpty)
    }
}
