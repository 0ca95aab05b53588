import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// A constant that is handed to a block, hidden by a parameter elsewhere, or assigned after its declaration.
@Suite(.bounded) struct SourceAssignedTests {
    private static func hosts(_ text: String, _ path: String) throws -> [String] {
        let text = text.replacing("ADD", with: "b.add(host, \"sha256/\(Samples.one)\")")
            .replacing("ONE", with: Samples.one)
        return try ProfileFormat.okhttp.read(Array(text.utf8), FormatContext(path: path)).profile.hosts.map(\.pattern)
    }

    @Test(arguments: [
        (
            "object K { const val H = \"a.test\" }\nval host = K.H\nfun f() { host.let { Log.d(\"x\", it) } }\nADD",
            "A.kt"
        ),
        (
            "interface A {\nfun f(host: String): List<U>\n\ncompanion object {\nval host = \"a.test\"\nfun g() = ADD } }",
            "A.kt"
        ),
        ("class C { private val host: String\ninit { host = \"a.test\" }\nfun f() { ADD } }", "A.kt"),
        ("class C { private final String host; C() { host = \"a.test\"; } void f() { ADD; } }", "A.java"),
        ("class C { void f() { final String host; host = \"a.test\"; ADD; } }", "A.java"),
        (
            "class C { final String host = \"a.test\"; void f(String host) { b.add(this.host, \"sha256/ONE\"); } }",
            "A.java"
        ),
        (
            "val host = \"a.test\"; val p = arrayOf(\"sha256/ONE\")\nfun f() { p.let { set(it) }; p.let { c.put(k, it) } }\nb.add(host, *p)",
            "A.kt"
        ),
    ])
    func isRead(text: String, path: String) throws {
        #expect(try Self.hosts(text, path) == ["a.test"], "\(text)")
    }

    @Test(arguments: [
        ("class C { private String host; C() { host = \"a.test\"; } void f() { ADD; } }", "A.java"),
        (
            "class C { private val host: String\ninit { host = \"a.test\" }\nconstructor(h: String) { this.host = h }\nfun f() { ADD } }",
            "A.kt"
        ),
        (
            "val host = \"a.test\"; val p = arrayOf(\"sha256/ONE\")\nfun f() { p.let { q -> q.set(0, x) } }\nb.add(host, *p)",
            "A.kt"
        ),
        (
            "val host = \"a.test\"; val p = mutableListOf(\"sha256/ONE\")\nfun f() { p.also { it += x } }\nb.add(host, *p)",
            "A.kt"
        ),
    ])
    func isRefused(text: String, path: String) throws {
        #expect(throws: InputError.self, "\(text)") { try Self.hosts(text, path) }
    }
}
