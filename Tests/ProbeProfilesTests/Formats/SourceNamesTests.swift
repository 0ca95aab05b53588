import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// A name of source code is a constant only if the file gives it one value: a parameter, a loop or a later change may give
/// it another, and the pins would be for a host that the app doesn't pin.
@Suite(.bounded) struct SourceNamesTests {
    private static func okhttp(_ text: String, _ path: String) throws -> Imported {
        let text = text.replacing("ONE", with: Samples.one)
        return try ProfileFormat.okhttp.read(Array(text.utf8), FormatContext(path: path))
    }

    private static func trustKit(_ text: String, _ path: String) throws -> Imported {
        let text = text.replacing("PINS", with: "[\"\(Samples.one)\", \"\(Samples.two)\"]")
            .replacing("BOTH", with: "@[@\"\(Samples.one)\", @\"\(Samples.two)\"]")
        return try ProfileFormat.trustkit.read(Array(text.utf8), FormatContext(path: path))
    }

    /// `host` or `pins` is a constant, and may have another value where `ADD` is.
    @Test(arguments: [
        "fun pinner(host: String) = ADD", "class Client(private val host: String) { fun f() { ADD } }",
        "fun f(host: String = \"b.test\"): Int {\nif (host == x) { g() }\nADD }",
        "fun f(host: String) =\nBuilder()\n.also { ADD }",
        "class Client(val x: Int, @Named(\"h\") host: String) : Base(x) { init { ADD } }",
        "val f = { host: String -> ADD }", "val f = { g: (Int) -> Unit, host: String -> ADD }",
        "var x: String\nset(host) { ADD }", "hosts.forEach { host -> ADD }", "map.forEach { (host, p) -> ADD }",
        "map.forEach { p, host -> ADD }", "for (host in hosts) ADD", "for (host in hosts) if (x) { g() } else { ADD }",
        "for ((host, p) in all)\nADD", "val (host, p) = next()\nADD",
        "class C { val host by lazy { f() }\ninit { ADD } }",
        "class C { val host: String get() = f()\nfun g() { ADD } }",
        "open class C(val host: String)\nclass D : C(x) { fun g() { ADD } }",
        "class C { lateinit var host: String\nfun g() { ADD } }", "try { f() } catch (host: Exception) { ADD }",
        "class C { fun set(h: String) { this.host = h } }\nADD", "fun f() { host += \".test\" }\nADD",
        "fun f(host: String) { this.host = host }\nADD", "fun f() { pins.clear() }\nADD",
        "fun f() { pins += load() }\nADD", "fun f() { pins?.addAll(load()) }\nADD", "fun f() { pins[0] = load() }\nADD",
        "fun f() { pins.apply { clear() } }\nADD", "fun f() { with(pins) { clear() } }\nADD",
        "val list = arrayOf(\"sha256/ONE\")\nfun f() { list.apply { this[0] = load() } }\nb.add(host, *list)",
        "load().forEach(pins::remove)\nADD",
        "object Other { val host by lazy { f() } }\nb.add(Other.host, *pins)",
    ])
    func kotlin(other: String) throws {
        let constants = "var host = \"a.test\"; val pins = mutableListOf(\"sha256/ONE\")\n"
        let text = constants + other.replacing("ADD", with: "b.add(host, *pins)")
        let error = try #require(throws: InputError.self, "\(text)") { try Self.okhttp(text, "Pins.kt") }
        #expect(error.message.contains("has an add(…) whose arguments"), "\(error.message)")
        #expect(try Self.okhttp(constants + "b.add(host, *pins)", "Pins.kt").profile.hosts.map(\.pattern) == ["a.test"])
    }

    @Test(arguments: [
        "X(String host) { this.host = host; } void f() { ADD }", "void f(final String host, int p) { ADD }",
        "void f(String... pins) { ADD }", "void f(String[] pins) throws E { if (x) { } ADD }",
        "void f(List<String> pins) { ADD }", "void f() { for (String host : hosts) ADD }",
        "void f() { hosts.forEach(host -> ADD_); }", "void f() { map.forEach((host, p) -> { ADD }); }",
        "void f() { map.forEach((p, host) -> ADD_); }", "class Y { String host; void f() { ADD } }",
        "class Y { String[] pins; void f() { ADD } }", "void f() { while ((host = next()) != null) { } ADD }",
        "void f() { pins[0] = g(); ADD }", "void f() { Collections.addAll(pins, g()); ADD }",
        "void f() { if (!(o instanceof String host)) { return; } ADD }", "void f() { this.host = g(); ADD }",
        "void f() { return o instanceof String host ? ADD_ : null; }",
        "void f() { switch (o) { case String host -> ADD } }",
        "class Y { String host; } class Z extends Y { void f() { ADD } }", "record R(String host) { void f() { ADD } }",
    ])
    func java(other: String) throws {
        let constants = "class X { String host = \"a.test\"; String[] pins = {\"sha256/ONE\"};\n"
        for path in ["Pins.java", "Pins"] {
            let text = other.replacing("ADD_", with: "b.add(host, pins)").replacing("ADD", with: "b.add(host, pins);")
            let error = try #require(throws: InputError.self, "\(text)") {
                try Self.okhttp("\(constants)\(text)\n}", path)
            }
            #expect(error.message.contains("has an add(…) whose arguments"), "\(error.message)")
            let plain = try Self.okhttp(constants + "void f() { b.add(host, pins); } }", path)
            #expect(plain.profile.hosts.map(\.pattern) == ["a.test"])
        }
    }

    @Test(
        "an error names the word and the line that hide a constant",
        arguments: [
            ("fun f(host: String) { ADD }", "'host' is also a parameter on line 2", "rename one of them"),
            ("for (host in all) { ADD }", "'host' is also a loop variable on line 2", "rename one of them"),
            (
                "class C { val host: String; init { ADD } }",
                "'host' is also a variable without a first value on line 2",
                "give it its value where it is declared, or write the text"
            ),
            ("fun f() { ADD }\nfun g() { host += x }", "'host' is changed on line 3", "make it a constant"),
            ("fun f() { ADD }\nfun g() { host = \"b.test\" }", "'host' is changed on line 3", "make it a constant"),
            ("fun f() { ADD }\nval host = \"b.test\"", "'host' has another value on line 3", "rename one of them"),
            (
                "fun f() { b.add(K.X, \"sha256/ONE\") }\nobject K; object L { val X = \"b.test\" }",
                "'X' is defined in another type or file", "write the text instead of its name"
            ),
            (
                "class C { open val h = \"b.test\"; val x = b.add(h, \"sha256/ONE\") }\nclass D : C() { override val h = x }",
                "'h' is overridden on line 3", "write the text instead of its name"
            ),
        ])
    func obstacles(other: String, reason: String, remedy: String) throws {
        let text = "var host = \"a.test\"\n" + other.replacing("ADD", with: "b.add(host, \"sha256/ONE\")")
        let error = try #require(throws: InputError.self) { try Self.okhttp(text, "Pins.kt") }
        #expect(error.message.hasPrefix("Pins.kt:2 ") && error.message.contains(reason), "\(error.message)")
        #expect(error.remedy.hasPrefix(remedy), "\(error.remedy)")
    }

    /// A name that is not that of a constant is not to blame, and neither is a member of another object.
    @Test(arguments: [
        "val p = Builder()\nall.forEach { (h, p) ->\nb.add(h, p) }", "val h = \"a.test\"\n\nb.add(config.h, p)",
        "fun f() { val h = load() }\n\nb.add(h, p)",
        "fun f() { val h = \"a.test\" }\nall.forEach { (h, p) ->\nb.add(h, p) }",
    ])
    func noObstacle(text: String) throws {
        let error = try #require(throws: InputError.self) { try Self.okhttp("\(text) // CertificatePinner", "Pins.kt") }
        #expect(error.message.hasPrefix("Pins.kt:3 has an add(…) whose arguments"), "\(error.message)")
        #expect(error.message.contains("constants of this file: "), "\(error.message)")
    }

    private static let add = "\nb.add(host, *pins)"

    /// Uses of a constant, and the same word where it is another thing.
    @Test(arguments: [
        "pin(host = \"b.test\")", "log(host, pins)", "log(other.host)", "if (other.host == host) log(host != x)",
        "val text = \"host = $host\" // host += x, pins.clear()", "mapOf(\"a\" to host, host to 1)",
        "when (x) { host -> 1\nin pins -> 2 }", "when { (x == host) -> 1 }", "fun f() { return log(host) }",
        "if (x in pins) log(host.length)", "listOf(1).forEach { log(host) }", "const val third: String = host",
        "fun g(h: String = host) = h", "log(host.replace(\"a\", \"b\"), pins.size, pins[0])",
        "val host: String = \"a.test\"",
        "object Other { const val host = \"a.test\"\nval other: String = host }", "Client(host).apply { start(host) }",
        "data class Config(val host: String, val pins: List<String>)",
        "fun get(host: String, run: (String) -> Unit) { }",
        "fun start(run: (host: String) -> Unit) { run(host) }", "fun log(host: String) = print(host)\nval port = 443",
        "val check = HostnameVerifier { host, session -> verify(host, session) }",
        "fun open(uri: Uri) { uri.host?.let { start(it) } }", "val url = host.let { \"https://$it\" }",
        "val n = host.run { length } + with(host) { length }", "init { pins.also { log(it.size) } }",
        "fun f(c: Config) { c.host = load()\nthis.host = host }", "fun f() { send(host) as (String) -> Unit }",
        "class Token { lateinit var host: String\nfun set(h: String) { this.host = h } }",
        "fun f() { for (host in all) log(host) }\nfun g() { when (val host = next()) { else -> log(host) } }",
    ])
    func usesInKotlin(other: String) throws {
        let text = "val host = \"a.test\"; val pins = arrayOf(\"sha256/ONE\")\(Self.add)\n\(other)\n"
        #expect(try Self.okhttp(text, "Pins.kt").profile.hosts.map(\.pattern) == ["a.test"], "\(other)")
    }

    @Test(arguments: [
        "@Named(host = \"b.test\") void f() { }", "String f() { return host; }", "void f() { g(flag ? host : null); }",
        "void f() { g((String) host, new String[] {host}); }", "void f() { switch (x) { case host: g(pins); } }",
        "void f() { g(x -> host); }", "void f() { g(() -> host, host); if (host == x) return; }",
        "void f() { String y = host, z = pins[0]; g(other.host()); }", "static final String third = host;",
        "public boolean verify(String host, SSLSession session) { return true; }", "void f() { other.host = g(); }",
        "static class Config { private String host; Config(String host) { this.host = host; } }",
        "Config config() { Config c = new Config(); c.host = host; return c; }",
        "void f() { client.hostnameVerifier((host, session) -> check(host)); for (String host : all) g(host); }",
        "void f() { client.set(new HostnameVerifier() { public boolean verify(String host, S s) { return true; } }); }",
    ])
    func usesInJava(other: String) throws {
        let text =
            "class X { static final String host = \"a.test\"; static final String[] pins = {\"sha256/ONE\"};\n"
            + "void fill() { b.add(host, pins); }\n\(other)\n}"
        #expect(try Self.okhttp(text, "Pins.java").profile.hosts.map(\.pattern) == ["a.test"], "\(other)")
    }

    /// A declaration without a value doesn't take that of the next line.
    @Test func typesEndWithTheirLine() throws {
        let text = "class C { lateinit var name: String\nval other = \"a.test\" }\nb.add(name, \"sha256/ONE\")"
        let error = try #require(throws: InputError.self) { try Self.okhttp(text, "Pins.kt") }
        #expect(error.message.hasPrefix("Pins.kt:3 "), "\(error.message)")
    }

    /// `USE` is a configuration whose host is the word.
    @Test(arguments: [
        "func start(host: String) { USE }", "func start(for host: String) -> C? {\nif x { }\nUSE }",
        "init?(host: String) { USE }", "func start<T>(_ host: T) { USE }", "all.forEach { host in USE }",
        "all.forEach { (p, host) in USE }", "all.forEach { (host: A.B) -> Void in USE }", "for host in all { USE }",
        "for (host, p) in all { USE }", "if let host { USE }", "if case let .item(host) = x { USE }",
        "let (host, p) = f(); USE", "struct S { let host: String; func f() { USE } }",
        "struct S { var host: String { f() }\nfunc g() { USE } }", "func f() { self.host = g() }; USE",
        "func f() { host += \".test\" }; USE", "func f() { host.append(g()) }; USE",
        "func f() { hashes.append(g()) }; USE", "func f() { (host, port) = load() }; USE",
        "func f() { (port, (self.host, _)) = load() }; USE", "func f() { (hashes[0], host: host) = load() }; USE",
        "func f() { hashes[0] = g() }; USE", "func f() { fill(&hashes) }; USE",
        "struct Other { static var host: String { f() } }; let c = [kTSKPinnedDomains: [Other.host: [kTSKPublicKeyHashes: hashes]]]",
        "class P { static var shared = P() }; func f() { P.shared.host = g() }; USE",
    ])
    func swift(other: String) throws {
        let constants = "var host = \"a.test\"; var hashes = PINS\n"
        let use = "let config = [kTSKPinnedDomains: [host: [kTSKPublicKeyHashes: hashes]]]"
        #expect(try Self.trustKit(constants + use, "Pins.swift").profile.hosts.map(\.pattern) == ["a.test"])
        let text = constants + other.replacing("USE", with: use)
        #expect(throws: InputError.self, "\(text)") { try Self.trustKit(text, "Pins.swift") }
    }

    @Test(arguments: [
        "func f() { domains[\"b.test\"] = g() }", "func f() { domains[\"a.test\"]?[\"x\"] = g() }",
        "func f() { domains.merge(g()) { $1 } }", "func f() { config.merge(g()) { $1 } }",
        "func f() { config[name] = g() }", "func f() { self.config = g() }",
        "func f(config: C) { self.config = config }",
    ])
    func changedConfigurations(other: String) throws {
        let text =
            "var domains = [\"a.test\": [kTSKPublicKeyHashes: PINS]]\n"
            + "var config: [String: Any] = [kTSKPinnedDomains: domains]\n"
        #expect(try Self.trustKit(text, "Pins.swift").profile.hosts.map(\.pattern) == ["a.test"])
        #expect(throws: InputError.self, "\(other)") { try Self.trustKit(text + other, "Pins.swift") }
    }

    /// A constant of Swift keeps its value, and a qualified name is not a parameter.
    @Test(arguments: [
        "self.config = config", "request.config = other", "webView.config = WebConfiguration()",
        "cookies.domain.append(\"x\")", "func start(for domain: String) { self.x.config = domain }",
        "list.map { domain in domain.count }", "struct Failure { let domain: String }",
        "enum E: Error { case bad(domain: String) }", "func log(_ config: Int) { print(config) }",
    ])
    func constantsOfSwift(other: String) throws {
        let text =
            "enum Pins { static let domain = \"a.test\" }; let hashes = PINS\n"
            + "let config: [String: Any] = [kTSKPinnedDomains: [Pins.domain: [kTSKPublicKeyHashes: hashes]]]\n"
        #expect(try Self.trustKit(text + other, "Pins.swift").profile.hosts.map(\.pattern) == ["a.test"], "\(other)")
    }

    @Test(arguments: [
        "start(host: \"b.test\", hashes: hashes)", "client.init(host: host)", "log([host: hashes][host])",
        "if flag { log(host)\nfor x in hashes { log(x, host) } }",
        "func f() { print(domains[host] as Any, other.host) }",
        "func f() { let (config, p) = g()\nif case (config, 1) = x { } }",
        "func f(x: (config: Int, y: Int) = (1, 1)) { }",
        "config[kTSKSwizzleNetworkDelegates] = false", "let third: String = host", "switch x { case host: log(1) }",
    ])
    func usesInSwift(other: String) throws {
        let text =
            "let host: String = \"a.test\"; let hashes = PINS; let domains = [host: [kTSKPublicKeyHashes: hashes]]\n"
            + "var config: [String: Any] = [kTSKPinnedDomains: domains]\n\(other)\n"
        #expect(try Self.trustKit(text, "Pins.swift").profile.hosts.map(\.pattern) == ["a.test"], "\(other)")
    }

    @Test(arguments: [
        ("void start(NSString *host) { USE }", false), ("- (void)start:(NSString *)host { USE }", false),
        ("void start(NSString * _Nonnull host) { USE }", false), ("void f() { g(^(id host) { USE }); }", false),
        ("void f() { for (NSString *host in all) { USE } }", false),
        ("void f() { [hashes addObject:g()]; USE }", false),
        ("void f() { self.host = g(); USE }", false), ("void f() { fill(&host); USE }", false),
        ("void f() { hashes[0] = g(); USE }", false), ("void f() { NSString *host; USE }", false),
        ("void f() { log(host, hashes[0]); [x start:host]; USE }", true), ("extern NSString *host; USE", true),
        ("FOUNDATION_EXTERN NSString *host; USE", true), ("APP_EXPORT NSString *host; USE", true),
        ("@property (nonatomic, copy) NSString *host; USE", true),
        ("- (void)start:(NSString *)host { log(host); } - (void)go { USE }", true),
        ("void f() { USE self.config = config; cell.host = other; }", true),
        ("NSString *f() { USE return host; }", true), ("void f() { log((NSString *)host, x ? host : nil); USE }", true),
        ("void f() { [hashes filteredArrayUsingPredicate:x]; USE }", true),
    ])
    func objectiveC(other: String, isRead: Bool) throws {
        let use = "NSDictionary *config = @{ kTSKPinnedDomains: @{ host: @{ kTSKPublicKeyHashes: hashes } } };"
        let text = "NSString *host = @\"a.test\";\nNSArray *hashes = BOTH;\n" + other.replacing("USE", with: use)
        if isRead {
            #expect(try Self.trustKit(text, "Pins.m").profile.hosts.map(\.pattern) == ["a.test"], "\(other)")
        } else {
            let error = try #require(throws: InputError.self, "\(other)") { try Self.trustKit(text, "Pins.m") }
            #expect(error.message.hasPrefix("Pins.m:3 "), "\(error.message)")
        }
    }
}
