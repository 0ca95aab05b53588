import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// A name is the constant that is visible where it is used, and not another one of that name in the file: a local variable of
/// another function or a member of another type would pin a host that the app doesn't pin, or by another key.
@Suite(.bounded) struct SourceVisibilityTests {
    /// `ADD` pins `host`, and `PIN(x)` pins `x`.
    private static func hosts(_ text: String, _ path: String) throws -> [String] {
        let pins = "\"\(Samples.one)\", \"\(Samples.two)\""
        let text = text.replacing("ADD", with: "PIN(host)").replacing(#/PIN\(([\w.]+)\)/#) { match in
            path.hasSuffix(".swift")
                ? "let c = [kTSKPinnedDomains: [\(match.1): [kTSKPublicKeyHashes: [\(pins)]]]]"
                : "b.add(\(match.1), \"sha256/\(Samples.one)\")"
        }
        let format: ProfileFormat = path.hasSuffix(".swift") ? .trustkit : .okhttp
        return try format.read(Array(text.utf8), FormatContext(path: path)).profile.hosts.map(\.pattern)
    }

    @Test(
        "constants of Kotlin that are visible",
        arguments: [
            "class C { companion object { const val host = \"a.test\" }\nfun f() { ADD } }",
            "class C { companion object : F() { const val host = \"a.test\" }\nval p by lazy { ADD } }",
            "class C { companion object Keys { const val host = \"a.test\" }\ninner class I { fun f() = ADD } }",
            "class C { companion object Keys { const val host = \"a.test\" }\nfun f() = PIN(Keys.host) }",
            "class C { companion object { const val host = \"a.test\" } }\nfun f() = PIN(C.host)",
            "class C { companion object { const val host = \"a.test\" } }\nfun f() = PIN(C.Companion.host)",
            "class C { object Keys { const val host = \"a.test\" }\nfun f() { PIN(Keys.host) } }",
            "class C { object Keys { const val host = \"a.test\" } }\nfun f() { PIN(C.Keys.host) }",
            "object P { const val host = \"a.test\" }; object S { const val host = \"b.test\" }\nPIN(P.host)",
            "object P { const val host = \"a.test\" }\nclass C { private val x = P.host\nfun f() { PIN(x) } }",
            "const val host = \"b.test\"\nclass C { val host = \"a.test\"\nfun f() { ADD } }",
            "val host = \"b.test\"\nfun f() { val host = \"a.test\"\nif (x) { ADD } }",
            "val host = \"a.test\"\nfun f() { val host = \"b.test\" }\nfun g() { ADD }",
            "fun f() { val host = \"a.test\"\nx.apply { ADD } }\nfun g() { val host = load() }",
            "val host = \"a.test\"\nclass X { val host = \"b.test\" }\nfun f() { if (x) { x.also { ADD } } }",
            "class C { val host = \"a.test\"\nfun f() { val host = \"b.test\"\nPIN(this.host) } }",
            "open class B { val host = \"a.test\" }\nclass C : B() { fun f() { ADD } }",
            "open class B { companion object { const val host = \"a.test\" } }\nclass C : X<Y>(), B by x { fun f() = ADD }",
            "val host = \"b.test\"\nopen class B { val host = \"a.test\" }\nopen class M : B()\nclass C : M() { val p = ADD }",
            "val host = \"a.test\"\nopen class B { private val host = \"b.test\" }\nclass C : B() { fun f() { ADD } }",
            "val host = \"a.test\"\nclass B { val host = \"b.test\" }\nclass C : X<Y<Z>, B>() { fun f() { ADD } }",
            "val host = \"a.test\"\nclass X { class B { val host = \"b.test\" } }\nclass C : B() { fun f() { ADD } }",
            "val host = \"b.test\"\nclass X { class B { val host = \"a.test\" } }\nclass C : X.B() { fun f() { ADD } }",
            "class C : B() { override val host = \"a.test\"\nfun f() { ADD } }\nclass D : B() { override val host = \"b.test\" }",
            "import x.host as other\nimport y.host.*\nval host = \"a.test\"\nADD",
            "var host = \"a.test\"\nfun f() { ADD }\nfun g() { var host = \"b.test\"\nhost = \"c.test\" }",
            "val host = \"a.test\"\nfun f() { ADD }\nfun g(x: X) { x.apply { host = \"b.test\" } }",
        ])
    func kotlin(text: String) throws { #expect(try Self.hosts(text, "A.kt") == ["a.test"], "\(text)") }

    @Test func eachTypeAndFunctionHasItsOwn() throws {
        let body = "{ companion object { const val host = \"NAME.test\" }\nval p by lazy { ADD } }"
        let classes = ["a", "b"].map { "class \($0.uppercased()) " + body.replacing("NAME", with: $0) }
        #expect(try Self.hosts(classes.joined(separator: "\n"), "A.kt") == ["a.test", "b.test"])
        let methods = ["a", "b"].map { "void \($0)() { String host = \"\($0).test\"; ADD; }" }
        for path in ["A.java", "A"] {
            #expect(try Self.hosts("class C { \(methods.joined()) }", path) == ["a.test", "b.test"])
        }
    }

    /// The constant is in another place, and the line after the first is in the error.
    @Test(
        "constants of Kotlin that are not visible, or may be hidden",
        arguments: [
            "class C : B() { fun f() { val host = \"b.test\" }\nfun g() { ADD } }",
            "object X { const val host = \"b.test\" }\nobject C { val p = ADD }",
            "object X { const val host = \"b.test\" }\nfun f() { b.add(\"x.$host\", \"sha256/\(Samples.one)\") }",
            "class C { private object X { const val host = \"b.test\" }\nfun f() { ADD } }",
            "fun f() { if (x) { val host = \"b.test\" }\nADD }",
            "fun f() {\nADD; val host = \"b.test\" }",
            "val host = \"b.test\"; fun f() {\nADD; val host = \"c.test\" }",
            "val host = \"b.test\"; fun f() { val host = load()\nADD }",
            "class C { val host = \"b.test\" }; class X : B() {\nfun f() { PIN(this.host) } }",
            "import x.host; private object X { const val host = \"b.test\" }\nval p = ADD",
            "import x.y as host; object X { const val host = \"b.test\"\nval p = ADD }",
            "import x.P; object P { const val host = \"b.test\" }\nPIN(P.host)",
            "object P : C(); object S { const val host = \"b.test\" }\nPIN(P.host)",
            "class X { object P { const val host = \"b.test\" } }\nPIN(P.host)",
            "object P { fun f() { val host = \"b.test\" } }\nPIN(P.host)",
            "fun f() { class P { companion object { val host = \"b.test\" } } }\nPIN(P.host)",
            "class C { val host = \"b.test\"; fun f() { x.apply {\nPIN(this.host) } } }",
            "open class B { private val host = \"b.test\" }; class C : B() {\nfun f() { ADD } }",
            "class B { val host = \"b.test\" }; class C : X<B>() {\nfun f() { ADD } }",
            "class X { class B { val host = \"b.test\" } }; class C : B() {\nfun f() { ADD } }",
            // The receiver's member comes before what is around the block.
            "val host = \"b.test\"; class X { val host = \"c.test\" }; fun f() { with(x) {\nADD } }",
            "val host = \"b.test\"; class X { val host = \"c.test\" }; fun X.f() {\nADD }",
            "val host = \"b.test\"; class X { val host = \"c.test\" }; fun f() { class P(val x: X)\nP(x).apply { ADD } }",
            "val host = \"b.test\"; class X { val host = \"c.test\" }; fun <T> X.f() =\nADD",
            "val host = \"b.test\"; class X { val host = \"c.test\" }; val X.p get() =\nADD",
            "val host = \"b.test\"; open class X { val host = \"c.test\" }; val p = object : X() {\nval q = ADD }",
            // A subtype's value comes before that of its type.
            "open class B { open val host = \"b.test\"\nfun f() { ADD } }; class C : B() { override val host = \"c.test\" }",
            "open class B { open val host = \"b.test\"\nfun f() { ADD } }; class C : B() { override val host get() = x() }",
            "open class B { open val host = \"b.test\"\nfun f() { ADD } }; class C(override val host: String) : B()",
            "open class B { open val host = \"b.test\"\nfun f() { ADD } }; val c = object : B() { override val host = x }",
            "open class B : A() { override val host = \"b.test\"\nfun f() { ADD } }; class C : B() { override val host = \"c.test\" }",
            "enum class E { P { override val host = \"c.test\" }; open val host = \"b.test\"\nfun f() { ADD } }",
            "val host = \"b.test\"; class C { companion object { lateinit var host: String }\nfun f() { ADD } }",
            "var host = \"b.test\"; fun f() {\nADD }; fun g() { host = \"c.test\" }",
            "fun f() { var host = \"b.test\"; if (x) host = \"c.test\"\nADD }",
            "val x = host; val host = x\nADD",
        ])
    func kotlinRefused(text: String) throws {
        let error = try #require(throws: InputError.self, "\(text)") { try Self.hosts(text, "A.kt") }
        #expect(error.message.hasPrefix("A.kt:2 "), "\(error.message)")
    }

    @Test(arguments: [
        ("class C { static final String host = \"a.test\"; static class D { void f() { ADD; } } }", true),
        ("interface K { String host = \"a.test\"; } class C extends X implements Y, K { void f() { ADD; } }", true),
        (
            "class C { final String host = \"a.test\"; void f() { x(() -> { ADD; }); } } class X { String host = \"b.test\"; }",
            true
        ),
        (
            "class C { final String host = \"a.test\"; void f() { x(new X() { void g() { ADD; } }); } } class X { }",
            true
        ),
        ("import static x.K.*; class C { static final String host = \"a.test\"; void f() { ADD; } }", true),
        (
            "class C { final String host = \"a.test\"; void f() { PIN(this.host); } void g() { String host = \"b.test\"; } }",
            true
        ),
        ("class C extends B { void f() { String host = \"b.test\"; } void g() { ADD; } }", false),
        ("class C { void f() { ADD; } static class X { static final String host = \"b.test\"; } }", false),
        (
            "import static x.K.host; class C { void f() { ADD; } } class X { static final String host = \"b.test\"; }",
            false
        ),
        ("class B { private static final String host = \"b.test\"; } class C extends B { void f() { ADD; } }", false),
        (
            "class C { final String host = \"b.test\"; void f() { x(new X<Y>() { void g() { ADD; } }); } } class X { String host = \"c.test\"; }",
            false
        ),
        ("class C { void f() { String host = \"b.test\"; host = \"c.test\"; ADD; } }", false),
        ("class C { void f() { host = \"b.test\"; ADD; } }", false),
        ("class C { String host = \"b.test\"; void f() { ADD; } void g() { host = \"c.test\"; } }", false),
    ])
    func java(text: String, isRead: Bool) throws {
        if isRead {
            #expect(try Self.hosts(text, "A.java") == ["a.test"], "\(text)")
        } else {
            #expect(throws: InputError.self, "\(text)") { try Self.hosts(text, "A.java") }
        }
    }

    @Test(arguments: [
        ("final class C { func f() { PIN(K.host) } }\nextension C { enum K { static let host = \"a.test\" } }", true),
        (
            "let host = \"b.test\"\nfinal class C { func f() { ADD } }\nextension C { static let host = \"a.test\" }",
            true
        ),
        (
            "let host = \"a.test\"\nfinal class C { func f() { ADD } }\nextension X { static let host = \"b.test\" }",
            true
        ),
        ("class B { let host = \"a.test\" }\nfinal class C: B, X { func f() { ADD } }", true),
        ("let host = \"b.test\"\nfinal class C { let host = \"a.test\"\nfunc f() { PIN(self.host) } }", true),
        ("class C { class func f() { let host = \"a.test\"\nADD }\nclass func g() { let host = \"b.test\" } }", true),
        ("enum A { enum K {}\nstatic func f() { PIN(K.host) } }\nextension A.K { static let host = \"a.test\" }", true),
        (
            "let host = \"a.test\"\nfunc f() { ADD }\nfunc g(x: E) { switch x { case let host: other = \"b.test\" } }",
            true
        ),
        (
            "func f() { switch x { case 1: let host = \"a.test\"; log(Session.default); ADD\ndefault: break } }", true
        ),
        ("func f() { switch x { case 1: let host = \"b.test\"; log(host)\ncase 2: ADD } }", false),
        ("func f() { switch x { case 1: let host = \"b.test\"; log(host)\ndefault: ADD } }", false),
        (
            "enum K { static let alt: String? = \"b.test\" }\nfunc f() { if let host = K.alt, x { log(host) }\nADD }",
            false
        ),
        (
            "final class C { var host = \"b.test\"\nfunc f() { ADD }\nfunc g() { if let host = x { log(host) }\nhost = x } }",
            false
        ),
        ("func log() { let host = \"b.test\" }\nfinal class C: B { func f() { ADD } }", false),
        ("class C { class func f() { ADD }\nclass func g() { let host = \"b.test\" } }", false),
        ("enum X { enum K { static let host = \"b.test\" } }\nfinal class C { func f() { PIN(K.host) } }", false),
        ("extension A.K { static let host = \"b.test\" }\nfunc f() { PIN(K.host) }", false),
        ("let host = \"b.test\"\nfinal class C: B { func f() { PIN(self.host) } }", false),
        ("class B { var host = \"b.test\"\nfunc f() { ADD } }\nclass C: B { override var host: String { x } }", false),
        ("let host = \"b.test\"\nfunc f() { if let host = load() { ADD } }", false),
        ("let host = \"b.test\"\nfunc g(x: E) { switch x { case let host: other = \"c.test\"; ADD } }", false),
        ("func g(x: E) { if case host = \"b.test\" { ADD } }", false),
    ])
    func swift(text: String, isRead: Bool) throws {
        if isRead {
            #expect(try Self.hosts(text, "A.swift") == ["a.test"], "\(text)")
        } else {
            #expect(throws: InputError.self, "\(text)") { try Self.hosts(text, "A.swift") }
        }
    }

    /// A name that is looked for through too many others is known on its own.
    @Test func aLongChainHidesNoneOfItsParts() throws {
        let chain = (1...20).map { "val a\($0) = a\($0 - 1)\n" }.joined()
        #expect(try Self.hosts("val a0 = \"a.test\"\n\(chain)list.add(a20)\nPIN(a10)", "A.kt") == ["a.test"])
        #expect(throws: InputError.self) { try Self.hosts("val a0 = \"a.test\"\n\(chain)PIN(a20)", "A.kt") }
    }
}
