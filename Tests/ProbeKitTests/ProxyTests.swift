import ProbeKit
import Testing

@Suite struct ProxyTests {
    @Test(
        "the URL of a proxy is read as curl reads it",
        arguments: [
            ("proxy.test:3128", "http://proxy.test:3128"), ("http://proxy.test", "http://proxy.test:1080"),
            ("HTTPS://Proxy.Test/", "https://proxy.test:443"), ("socks5h://[::1]:9050", "socks5h://[::1]:9050"),
            ("socks5://[fe80::1%eth0]", "socks5://[fe80::1%eth0]:1080"),
        ])
    func urls(text: String, read: String) throws {
        let proxy = try HandshakeRequest.Proxy(text)
        #expect("\(proxy)" == read)
        #expect(proxy.credentials == nil)
    }

    @Test(
        "what is not one is refused, and no credentials are shown",
        arguments: [
            ("socks4://p.test", "not a protocol of proxies"), ("htp://p.test", "did you mean 'http'"),
            ("http://p.test/path", "has a path"), ("http://sesame:%4@p.test", "encodes nothing"),
            ("socks5h://sesame%3Aer:pw@p.test", "use a name without a colon"),
            ("http://sesame%3Apw@p.test", "write the colon before the password as ':'"),
            ("http://p.test:0", "not a port"), ("", "is empty"),
        ])
    func refusals(text: String, words: String) {
        let error = #expect(throws: InputError.self) { try HandshakeRequest.Proxy(text) }
        #expect(error.map { "\($0.message) \($0.remedy)" }?.contains(words) == true, "\(String(describing: error))")
        #expect(error?.message.contains("sesame") == false)
    }

    @Test(
        "a name and a password before the host are decoded, with a colon in between, and never described",
        arguments: [
            ("us%40er:s%3ae%25sam", "us@er:s:e%sam"), ("user:sam", "user:sam"), (":sam", ":sam"), ("sam:", "sam:"),
            ("sam", "sam:"),
        ])
    func credentials(written: String, read: String) throws {
        let proxy = try HandshakeRequest.Proxy("http://\(written)@p.test:80")
        guard case .basic(let secret) = proxy.credentials else { throw Unexpected() }
        let bytes = secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
        #expect(String(decoding: bytes, as: UTF8.self) == read)
        #expect("\(proxy)" == "http://p.test:80")
        #expect(!String(reflecting: proxy).contains("sam"))
    }

    private struct Unexpected: Error {}

    @Test("a link-local target has its zone, which is dialled and shown") func zones() throws {
        let target = try Target("[fe80::1%eth0]:8443")
        #expect(target.endpoint.zone == "eth0")
        #expect("\(target)" == "[fe80::1%eth0]:8443")
        #expect("\(target.name)" == "fe80::1")
        #expect(try Target("[fe80::1%eth0]") != Target("[fe80::1%eth1]"))
        #expect(throws: InputError.self) { try Target("[2001:db8::1%eth0]") }
        #expect(throws: InputError.self) { try Endpoint("[fe80::1%eth0]:443") }
    }
}
