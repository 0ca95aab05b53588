import ProbeKit
import ProbeNet
import Testing

/// The variables by which `curl` finds a proxy.
@Suite struct ProxyEnvironmentTests {
    @Test(
        "the variable of the scheme goes before that of all, and lowercase before uppercase",
        arguments: [
            (["https_proxy": "a", "HTTPS_PROXY": "b", "all_proxy": "c"], "x.test", "https_proxy"),
            (["HTTPS_PROXY": "b", "all_proxy": "c"], "x.test", "HTTPS_PROXY"),
            (["all_proxy": "c", "ALL_PROXY": "d"], "x.test", "all_proxy"), (["ALL_PROXY": "d"], "x.test", "ALL_PROXY"),
            (["https_proxy": "a", "SMTP_PROXY": "e"], "smtp://x.test", "SMTP_PROXY"),
            (["https_proxy": "a"], "smtp://x.test", nil),
            (["https_proxy": "", "ALL_PROXY": "d"], "x.test", "ALL_PROXY"),
            (["http_proxy": "a", "HTTP_PROXY": "b"], "x.test", nil), ([:], "x.test", nil),
        ] as [([String: String], String, String?)])
    func variables(set: [String: String], target: String, name: String?) throws {
        #expect(ProxyEnvironment(set).variable(for: try Target(target)) == name)
    }

    @Test(
        "no_proxy lists domains, addresses and networks",
        arguments: [
            ("*", "x.test", true), ("x.test", "x.test", true), (".x.test", "x.test", true),
            ("x.test", "www.x.test", true), ("x.test", "www-x.test", false), ("X.Test.", "x.test", true),
            ("a.test, b.test c.test", "c.test", true), ("a.test,*", "x.test", false), ("test", "x.test", true),
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.0/24", "192.0.2.200", true),
            ("192.0.2.0/25", "192.0.2.200", false), ("192.0.2.0/33", "192.0.2.0", false),
            ("2001:db8::/32", "[2001:db8::5]", true), ("[2001:db8::5]", "[2001:db8::5]", true),
            ("0.0.0.0/0", "[::1]", false), ("192.0.2.1", "x.test", false), ("", "x.test", false),
            (".", "x.test", false),
        ])
    func exclusions(list: String, target: String, isExcluded: Bool) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            let environment = ProxyEnvironment(["https_proxy": "http://p.test:1", name: list])
            #expect((try environment.proxy(for: Target(target)) == nil) == isExcluded)
        }
        let both = ProxyEnvironment(["https_proxy": "http://p.test:1", "no_proxy": "other.test", "NO_PROXY": "*"])
        #expect(try both.proxy(for: Target(target)) != nil)
    }

    @Test("a value that is no URL of a proxy is refused by the variable's name") func refusals() throws {
        let environment = ProxyEnvironment(["ALL_PROXY": "socks4://p.test"])
        let error = #expect(throws: InputError.self) { try environment.check() }
        #expect(error?.message.hasPrefix("ALL_PROXY in the environment") == true)
        #expect(throws: InputError.self) { try environment.proxy(for: Target("x.test")) }
    }
}
