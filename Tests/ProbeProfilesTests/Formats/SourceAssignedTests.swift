import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// A constant that is handed to a block or named by another, and names that only look like one: a value that differs at run
/// time must not be read.
@Suite(.bounded) struct SourceAssignedTests {
    private static func hosts(_ text: String, _ path: String) throws -> [String] {
        let text = text.replacing("ADD", with: "b.add(host, \"sha256/ONE\")").replacing("ONE", with: Samples.one)
        return try ProfileFormat.okhttp.read(Array(text.utf8), FormatContext(path: path)).profile.hosts.map(\.pattern)
    }

    @Test(arguments: [
        "object K { const val H = \"a.test\" }\nval host = K.H\nfun f() { host.let { Log.d(\"x\", it) } }\nADD",
        "object K { const val H = \"a.test\" }\nval x = K.H\nval host: String = x\nfun f() { host.run { log() } }\nADD",
        "interface A {\nfun f(host: String): List<U>\n\ncompanion object {\nval host = \"a.test\"\nfun g() = ADD } }",
        "val host = \"a.test\"\nclass C {\nfun f(host: String) = g(host)\ninit { ADD } }",
        "val host = \"a.test\"\nclass C {\nfun f(host: String) = g(host)\nconstructor(x: Int) : this() { ADD } }",
        "val host = \"a.test\"\ninterface A {\nfun f(host: String): U\nvalue class V(val x: Int) { fun g() = ADD } }",
    ])
    func isRead(text: String) throws { #expect(try Self.hosts(text, "A.kt") == ["a.test"], "\(text)") }

    /// A constant `host` is before each.
    @Test(arguments: [
        "class C { val host by lazy { load() }\nfun f() { Builder().apply { host = \"a.test\" }; ADD } }",
        "class C { val host: String get() = load()\nfun f() { Builder().apply { host = \"a.test\" }; ADD } }",
        "class C { private val host: String\ninit { host = \"a.test\" }\nfun f() { ADD } }",
        "open class B @Inject constructor(val host: String)\nclass D : B(x) { fun f() { ADD } }",
        "open class B<T>(val host: String)\nclass D : B<Int>(x) { fun f() { ADD } }",
        "open class B @Inject\nconstructor(x: X) { lateinit var host: String }\nclass D : B(x) { fun f() { ADD } }",
        "class B(val host: String)\nfun B.f() { ADD }", "class A { class B(val host: String) }\nfun A.B?.f() = ADD",
        "class B { lateinit var host: String }\nval <T : List<Int>> B.x get() = ADD",
        "fun f(host: String) = if (x) y else\nvalue or ADD",
        "fun f(host: String) = if (x) y else\nobject : T { val z = ADD }",
        "class C { fun f(host: String) = if (x)\ninit { ADD } else y }",
        "class C { fun f(host: String) = if (x) y else\ninit { ADD } }",
        "class C { fun f(host: String) = x or\ninit { ADD } }",
        "class C { fun f(host: String): X = g(host) ?: throw\nconstructor(ADD) }",
    ])
    func isRefused(text: String) throws {
        let text = "const val host = \"a.test\"\n\(text)"
        #expect(throws: InputError.self, "\(text)") { try Self.hosts(text, "A.kt") }
    }

    /// A list `p` is changed by the block, or by a call after it.
    @Test(arguments: [
        ("mutableListOf", "p.also { log(it) }.addAll(load())"), ("mutableListOf", "val all = p.apply { log(size) }"),
        ("mutableListOf", "p.apply { fill(this@apply) }"), ("mutableListOf", "p.let { it as MutableCollection }"),
        ("mutableListOf", "p.also { it += x }"), ("arrayOf", "p.let { q -> q.set(0, x) }"),
        ("arrayOf", "p.also { it[0] += x }"), ("arrayOf", "with(p) { this[0] += x }"),
        ("arrayOf", "p.also { it.asList().replaceAll { x } }"), ("arrayOf", "p.also { log(it) }[0] = x"),
        ("arrayOf", "p.also { log(it) }.set(0, x)"),
        ("arrayOf", "p.also { log(it) }.apply { this[0] = x }"), ("arrayOf", "p.also { log(it) }?.apply(::fill)"),
        ("arrayOf", "p.also { x.forEachIndexed(it::set) }"), ("arrayOf", "p.also { x.copyInto(it) }"),
        ("arrayOf", "p.also { System.arraycopy(x, 0, it, 0, 1) }"), ("arrayOf", "p.run { x.copyInto(this) }"),
        ("arrayOf", "x.copyInto(p)"), ("arrayOf", "x.copyInto(destination = p)"),
        ("arrayOf", "System.arraycopy(x, 0, p, 0, 1)"), ("arrayOf", "p.asList().replaceAll { x }"),
        ("arrayOf", "val q = p; q[0] = x[0]"), ("arrayOf", "val q: Array<String> = p\nq[0] = x[0]"),
        ("arrayOf", "val q = p\nval r = q\nr.set(0, x)"), ("arrayOf", "config.p2 = p\nconfig.p2[0] = x"),
        ("mutableListOf", "val q = p; q.add(x)"), ("mutableListOf", "val q = p\ny = x\nq += x"),
    ])
    func listsAreRefused(function: String, change: String) throws {
        let text = "val p = \(function)(\"sha256/ONE\")\nfun f() { \(change) }\nb.add(\"a.test\", *p)"
        #expect(throws: InputError.self, "\(text)") { try Self.hosts(text, "A.kt") }
        #expect(try Self.hosts(text.replacing(change, with: ""), "A.kt") == ["a.test"])
    }

    /// A list or array `p` is only read.
    @Test(arguments: [
        "p.copyInto(x)", "val q = p; log(q[0])", "val q = p.size", "log(p)", "val q = p + x", "val q = p\ny = x",
        "p.also { x.forEach(::log) }", "p.asList().forEach { log(it) }", "if (p == x) log(p)",
    ])
    func listsAreRead(use: String) throws {
        for function in ["arrayOf", "listOf"] {
            let text = "val p = \(function)(\"sha256/ONE\")\nfun f() { \(use) }\nb.add(\"a.test\", *p)"
            #expect(try Self.hosts(text, "A.kt") == ["a.test"], "\(text)")
        }
    }

    /// A list `hashes` of a class of Swift, or of the file.
    @Test(arguments: [
        "load(into: &self.hashes)", "swap(&self.other, &self.hashes)", "load(into: &C.hashes)", "load(&hashes)",
        "switch s { case let x: (hashes, other) = load(x) }", "switch s { case var x: (self.hashes, other) = load(x) }",
        "switch s { case 1, let x: (hashes, other) = load(x) }",
        "switch s { case 1: var x = 1; (hashes, other) = load(x) }", "(x: (hashes, other), y: z) = load()",
        "(x: y, z: (a: other, b: hashes)) = load()", "hashes.withUnsafeMutableBufferPointer { $0[0] = x }",
    ])
    func listsOfSwift(change: String) throws {
        func hosts(_ change: String, isMember: Bool) throws -> [String] {
            let list = "static var hashes = [\"\(Samples.one)\", \"\(Samples.two)\"]"
            let text =
                "\(isMember ? "" : list.replacing("static ", with: ""))\nfinal class C {\n\(isMember ? list : "")\n"
                + "func f() { \(change) }\n"
                + "func g() { let c = [kTSKPinnedDomains: [\"a.test\": [kTSKPublicKeyHashes: hashes]]] }\n}"
            return try ProfileFormat.trustkit.read(Array(text.utf8), FormatContext(path: "A.swift")).profile.hosts
                .map(\.pattern)
        }
        for isMember in [true, false] {
            #expect(throws: InputError.self, "\(change)") { try hosts(change, isMember: isMember) }
            #expect(try hosts("let x: (a: Int, b: Int) = (1, 2); f(hashes)", isMember: isMember) == ["a.test"])
        }
    }

    @Test(arguments: [
        "class C { private String host; C() { host = \"a.test\"; } void f() { ADD; } }",
        "class C { private final String host; C() { host = \"a.test\"; } void f() { ADD; } }",
        "class C { final String host = \"a.test\"; void f() { all.forEach(host ->\nobject.set(ADD)); } }",
        "class C { final String host = \"a.test\"; void f() { all.forEach(host ->\nvalue instanceof X ? ADD : y); } }",
        "class C { final String host = \"a.test\"; void f() { for (String host : all)\nobject.set(ADD); } }",
    ])
    func java(text: String) throws { #expect(throws: InputError.self, "\(text)") { try Self.hosts(text, "A.java") } }

    /// A name before `*` is the host of a configuration.
    @Test(arguments: [
        "struct S { let host: String\ninit(h: String) { if x { host = \"a.test\" } else { (host, y) = (h, 1) } }\nfunc f() { host* } }",
        "actor A { let host: String\ninit(host: String) { self.host = host }\nfunc f() { self.host* } }",
        "enum API { struct Client { let host: String } }\nextension API.Client { func f(host: String) { self.host* } }",
        "enum API { struct Client { let host: String } }\nextension API.Client { func f() { self.host* } }",
        "actor A { let host: String }\nextension A { func f() { host* } }",
    ])
    func swift(other: String) throws {
        func hosts(_ text: String) throws -> [String] {
            var text = "let host = \"a.test\"; let hashes = [\"\(Samples.one)\", \"\(Samples.two)\"]\n\(text)"
            for name in ["self.host", "host"] {
                text = text.replacing(
                    "\(name)*", with: "let config = [kTSKPinnedDomains: [\(name): [kTSKPublicKeyHashes: hashes]]]")
            }
            return try ProfileFormat.trustkit.read(Array(text.utf8), FormatContext(path: "A.swift")).profile.hosts
                .map(\.pattern)
        }
        #expect(throws: InputError.self, "\(other)") { try hosts(other) }
        #expect(try hosts("func f() { host* }") == ["a.test"])
    }
}
