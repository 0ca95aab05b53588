import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// The ways in which Kotlin and Java write OkHttp's pins: each is read as OkHttp gets it, or is an error with its line.
@Suite struct OkHttpFormsTests {
    private static let one = Samples.one
    private static let two = Samples.two

    private static func read(_ text: String, _ path: String = "Pins.kt") throws -> Imported {
        try ProfileFormat.okhttp.read(Array(text.utf8), FormatContext(path: path))
    }

    /// `PATTERN PIN` of all that was read, in order.
    private static func pins(_ imported: Imported) -> [String] {
        imported.profile.hosts.flatMap { host in
            host.pins.flatMap(\.members).map { "\(host.pattern) \($0.pin.digest.base64)" }
        }
    }

    @Test(
        "calls of add, however they are written",
        arguments: [
            "CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\").build()",
            "CertificatePinner.Builder().apply { add(\"a.test\", \"sha256/ONE\") }.build()",
            "CertificatePinner.Builder().add (\"a.test\", \"sha256/ONE\")",
            "CertificatePinner.Builder()\n  .\n  add(\"a.test\",\n \"sha256/ONE\")",
            "CertificatePinner.Builder()\n  // the next\n  ?.add(\"a.test\", \"sha256/ONE\")",
            "CertificatePinner.Builder().also { it.add(\"a.test\", \"sha256/ONE\") }",
            "CertificatePinner.Builder().also { b -> b.add(\"a.test\", \"sha256/ONE\") }",
            "CertificatePinner.Builder().run { add(\"a.test\", \"sha256/ONE\"); build() }",
            "with(CertificatePinner.Builder()) { add(\"a.test\", \"sha256/ONE\"); build() }",
            "val b = CertificatePinner.Builder()\nb.add(\"a.test\", \"sha256/ONE\")",
            "val b: CertificatePinner.Builder = CertificatePinner.Builder()\nif (x) { b.add(\"a.test\", \"sha256/ONE\") }",
            "fun fill(b: CertificatePinner.Builder) { b.add(\"a.test\", \"sha256/ONE\") }",
            "fun CertificatePinner.Builder.fill() { add(\"a.test\", \"sha256/ONE\") }",
            "okhttp3.CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")",
            "CertificatePinner.Builder().add(pattern = \"a.test\", pins = arrayOf(\"sha256/ONE\"))",
            "CertificatePinner(setOf(CertificatePinner.Pin(\"a.test\", \"sha256/ONE\")))",
            "val pin = CertificatePinner.Pin(pattern = \"a.test\", pin = \"sha256/ONE\")",
            "const val HOST = \"a.test\"\nCertificatePinner.Builder().add(HOST, \"sha256/ONE\")",
            "object Pins { const val PIN: String = \"sha256/ONE\" }\nx.add(\"a.test\", Pins.PIN)",
            "private const val HASH = \"ONE\"\nx.add(\"a.test\", \"sha256/$HASH\")",
            "private const val HASH = \"ONE\"\nx.add(\"a.${TLD}\", \"sha256/\" + HASH)\nval TLD = \"test\"",
            "val PINS = arrayOf(\"sha256/ONE\")\nCertificatePinner.Builder().add(\"a.test\", *PINS)",
            "val PINS = listOf(\"sha256/ONE\")\nCertificatePinner.Builder().add(\"a.test\", *PINS.toTypedArray())",
            "CertificatePinner.Builder().add(\"\"\"a.test\"\"\", \"\"\"sha256/ONE\"\"\")",
            "CertificatePinner.Builder().add(\"a\\u002etest\", \"sha256/ONE\",)",
            "/* outer /* inner */ .add(\"b.test\", \"sha256/TWO\") */ CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")",
            "val c = '\"'; val d = '\\''; CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")",
            "val `add` = 1; headers.add(\"x\", \"y\"); Headers.Builder().add(name, value); list.add(x); list.add(0, x)\n"
                + "CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")",
            "val form = FormBody.Builder()\nform.add(name, value)\nx.add(\"a.test\", \"sha256/ONE\")",
            "val form = FormBody.Builder()\nform.addEncoded(a, b).add(name, value)\nx.add(\"a.test\", \"sha256/ONE\")",
            "fun CertificatePinner.Builder.ours() = add(\"a.test\", \"sha256/ONE\")",
            "fun fill(b: CertificatePinner.Builder) { b.add(\"a.test\", \"sha256/ONE\") }\n"
                + "fun f(c: CertificatePinner.Builder) { fill(c) }",
        ])
    func kotlin(text: String) throws {
        let text = text.replacing("ONE", with: Self.one).replacing("TWO", with: Self.two)
        #expect(try Self.pins(Self.read(text)) == ["a.test \(Self.one)"], "\(text)")
        #expect(ProfileFormat.detect(Array(text.utf8)) ?? .okhttp == .okhttp)
    }

    @Test(arguments: [
        "new CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\").build();",
        "CertificatePinner.Builder b = new CertificatePinner.Builder();\nb.add(\"a.test\", \"sha256/ONE\");",
        "var b = new okhttp3.CertificatePinner.Builder();\nb.add(\"a.test\", \"sha256/ONE\");",
        "import okhttp3.CertificatePinner.Builder;\nnew Builder().add(\"a.test\", \"sha256/ONE\");",
        "static final String HOST = \"a.\" + \"test\";\nb.add(HOST, \"sha256/ONE\");",
        "class C { private static final String[] PINS = {\"sha256/ONE\"};\n void f() { b.add(\"a.test\", PINS); } }",
        "b.add(\"a.test\", new String[] { \"sha256/ONE\" });",
        "b.add(\"\"\"\n    a.test\\\n    \"\"\", \"sha256/ONE\");",
        "/* a comment of /* Java */ b.add(\"a.test\", \"sha256/ONE\");",
        "public Builder add(String pattern, String pin) { return this; }\nb.add(\"a.test\", \"sha256/ONE\");",
        "List<String> names = new ArrayList<>();\nnames.add(i, name);\nb.add(\"a.test\", \"sha256/ONE\");",
    ])
    func java(text: String) throws {
        let text = text.replacing("ONE", with: Self.one)
        #expect(try Self.pins(Self.read(text, "Pins.java")) == ["a.test \(Self.one)"], "\(text)")
    }

    /// Unreadable pins are not left out: the line is in the error.
    @Test(
        "what can't be read is an error that shows its line",
        arguments: [
            "val b = CertificatePinner.Builder()\n.add(hostname, \"sha256/ONE\")",
            "CertificatePinner.Builder()\n.add(\"a.test\", pin)",
            "CertificatePinner.Builder()\n.apply { add(host, BuildConfig.PIN) }",
            "CertificatePinner.Builder()\n.apply { pins.forEach { add(\"a.test\", it) } }",
            "for (pin in pins)\nbuilder.add(host, pin)",
            "\nbuilder.add(\"a.test\", \"sha256/$pin\")",
            "\nbuilder.add(\"a.test\", \"sha256/${pins.first()}\")",
            "\nbuilder.add(\"a.test\", \"sha256/ONE\".trim())",
            "fun f(host: String = \"a.test\") {\nb.add(host, \"sha256/ONE\") }",
            "val host = if (debug) \"a.test\" else \"b.test\"\nb.add(host, \"sha256/ONE\")",
            "object A { val H = \"a.test\" }\nb.add(Other.H, \"sha256/ONE\"); object B { val H = \"b.test\" }",
            "\nval p = CertificatePinner.Builder().apply { fill(this) }.build()",
            "\nval p = CertificatePinner.Builder()",
            "\nval p = CertificatePinner(pins)",
            "\nCertificatePinner.Pin(host, pin)",
            "val b = CertificatePinner.Builder()\npins.forEach(b::add)",
            "val b = CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")\naddMore(b)",
            "val b = CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")\n.apply(configure).build()",
            "val b = CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")\nb.addOurs()",
            "val b = CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")\n.addOurs()",
            "CertificatePinner.Builder().apply { add(\"a.test\", \"sha256/ONE\")\nfill(this) }",
            "b.add(\"a.test\", \"sha256/ONE\")\nconfig.pinners.add(host, pin)",
            "fun f(c: Config) { b.add(\"a.test\", \"sha256/ONE\")\nc.pinners().add(host, pin) }",
            "val b = FormBody.Builder(); x.forEach { b -> \nb.add(host, pin) }",
            "val b = FormBody.Builder(); x.forEach { (b, c) -> \nb.add(host, pin) }",
            "package a\nimport okhttp3.CertificatePinner as Pinner",
            "package a\ntypealias Pinner = CertificatePinner",
            "package a\ntypealias Builder = okhttp3.CertificatePinner.Builder",
            "\nval unused = \"sha256/ONE\"",
            "val map = mapOf(\"a.test\" to \"sha256/ONE\")\nmap.forEach { (h, p) -> b.add(h, p) }",
            "CertificatePinner.Builder()\n.add(\"a.test\")",
        ])
    func unread(text: String) throws {
        let text = text.replacing("ONE", with: Self.one)
        let error = try #require(throws: InputError.self, "\(text)") { try Self.read(text) }
        #expect(error.message.hasPrefix("Pins.kt:2 "), "\(error.message)")
        #expect(error.message.contains(text.split(separator: "\n", omittingEmptySubsequences: false)[1].prefix(40)))
    }

    @Test("no line that is shown in part has a password", arguments: [60, 80, 84]) func passwords(count: Int) throws {
        let comment = "/* \(String(repeating: "x", count: count)) https://bob:s3cret@h.test */"
        let text = "CertificatePinner.Builder()\n\(comment) .add(\"a.test\")"
        let error = try #require(throws: InputError.self) { try Self.read(text) }
        #expect(error.message.hasPrefix("Pins.kt:2 ") && error.message.contains("xxx"), "\(error.message)")
        #expect(!error.message.contains("bob") && !error.message.contains("s3c"), "\(error.message)")
    }

    /// OkHttp keeps the dot of a pattern, and looks up hosts that have none.
    @Test func aDotAtTheEndNeverMatches() throws {
        for pattern in ["b.test.", "*.b.test."] {
            let imported = try Self.read("a.test sha256/\(Self.one)\n\(pattern) sha256/\(Self.two)\n")
            #expect(Self.pins(imported) == ["a.test \(Self.one)"])
            #expect(imported.notes.map(\.code) == ["never-matches"])
            #expect(imported.notes.first?.severity == .warning)
        }
    }

    @Test(
        "a pattern that can't be used is an error or a warning with its line",
        arguments: [
            "a.test sha256/ONE\nPATTERN sha256/ONE",
            "CertificatePinner.Builder().add(\"a.test\", \"sha256/ONE\")\n.add(\"PATTERN\", \"sha256/ONE\").build()",
        ])
    func linesOfPatterns(text: String) throws {
        let text = text.replacing("ONE", with: Self.one)
        for pattern in ["b.*.test", "b.test:8443", "https://b.test", "*"] {
            let error = try #require(throws: InputError.self) {
                try Self.read(text.replacing("PATTERN", with: pattern))
            }
            #expect(error.message.hasPrefix("Pins.kt:2: '\(pattern)' is not a host"), "\(error.message)")
        }
        let notes = try Self.read(text.replacing("PATTERN", with: "b.test.")).notes
        #expect(notes.map { $0.message.hasPrefix("line 2: 'b.test.' ends with a dot") } == [true], "\(notes)")
        let error = try #require(throws: InputError.self) {
            try Self.read(
                text.replacing("PATTERN sha256/", with: "b.test sha1/").replacing(
                    "PATTERN\", \"sha256/", with: "b.test\", \"sha1/"))
        }
        #expect(error.message.hasPrefix("Pins.kt:2 has no SHA-256 pin for b.test"), "\(error.message)")
    }

    @Test("CR ends a line, alone or before LF", arguments: ["\r", "\r\n", "\n"])
    func lineEnds(end: String) throws {
        let lines = [
            "CertificatePinner.Builder() // the leaf", ".add(\"a.test\", \"sha256/ONE\") // the next",
            ".add(\"b.test\", \"sha256/ONE\")", "/* the", "last */ .add(\"c.test\", \"sha256/ONE\") .build()",
        ]
        let text = lines.joined(separator: end).replacing("ONE", with: Self.one)
        #expect(try Self.read(text).profile.hosts.map(\.pattern) == ["a.test", "b.test", "c.test"])
        let error = try #require(throws: InputError.self) { try Self.read(text.replacing("\"c.test\"", with: "host")) }
        #expect(error.message.hasPrefix("Pins.kt:5 has an add(…)"), "\(error.message)")
        #expect(error.message.contains(": last */ .add(host"), "\(error.message)")
    }

    /// Okio decodes more than the standard form.
    @Test func base64AsOkioReadsIt() throws {
        for text in [
            Samples.one.dropLast() + "", "fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=\\n",
            // The last two bits are not of a byte.
            "fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYb=",
        ] {
            let imported = try Self.read("x.add(\"a.test\", \"sha256/\(text)\")")
            #expect(Self.pins(imported) == ["a.test \(Self.one)"])
            #expect(imported.notes.map(\.code) == ["base64"])
        }
        let url = Samples.two.replacing("/", with: "_").replacing("+", with: "-")
        #expect(try Self.pins(Self.read("a.test sha256/\(url)")) == ["a.test \(Self.two)"])
        #expect(throws: InputError.self) { try Self.read("a.test sha256/!\(Samples.one)") }
    }

    /// A pin's base64, a host or a comment may have any word of source code in it.
    @Test func linesHaveAnyWord() throws {
        let pin = "fwp4CertificatePinnerertificatePinneruYofYY="
        let read = try Self.read("// CertificatePinner.Builder().add(…)\na.test sha256/\(pin)\n")
        #expect(Self.pins(read) == ["a.test \(pin)"])
    }

    /// A file without a name that shows its language: constructs that the two read differently are rejected.
    @Test func whereTheLanguagesDiffer() throws {
        let text = "/* a /* b */ x.add(\"a.test\", \"sha256/\(Self.one)\") // */"
        #expect(throws: InputError.self) { try Self.read(text, "Pins.kt") }
        #expect(try Self.pins(Self.read(text, "Pins.java")) == ["a.test \(Self.one)"])
        #expect(throws: InputError.self) { try Self.read(text, "pins") }
    }

    /// Names that refer to each other, and expand each time.
    @Test(.bounded) func hostileConstants() throws {
        var text = "val a0 = \"xxxxxxxxxxxxxxxx\"\n"
        for index in 1..<2000 {
            text += "val a\(index) = a\(index - 1) + a\(index - 1)\nval b\(index) = b\(index - 1)\n"
        }
        text += "val b0 = b1999\nx.add(a1999, \"sha256/\(Self.one)\")\n"
        #expect(throws: InputError.self) { try Self.read(text) }
        let list = "val pins = listOf(" + String(repeating: "\"sha256/\(Self.one)\",", count: 2000) + ")\n"
        let error = try #require(throws: InputError.self) {
            try Self.read(list + String(repeating: "x.add(\"a.test\", *pins)\n", count: 2000))
        }
        #expect(error.message.contains("more than 100000"))
    }
}
