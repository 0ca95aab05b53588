import ProbeKit
import Testing

@Suite struct EndpointTests {
    @Test(
        "[R72] a host is read as a whole",
        arguments: [
            "a b", "", "host:0", "host:65536", "host:", "[::1", "1.2.3.256:443", "ex..com", "-a.com", "é .fr", "127.1",
            "2130706433", "0x7f000001", "127.0.0.0X1", "host.0x",
        ])
    func badHostsAreRefused(text: String) {
        #expect(throws: InputError.self) { () throws in try Target(text) }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1:53"), ("[2001:db8::1]:5353", "[2001:db8::1]:5353"), ("fe80::1%lo", "[fe80::1%lo]:53"),
        ("[fe80::1%eth0]:5353", "[fe80::1%eth0]:5353"), ("[fe80::1%2]", "[fe80::1%2]:53"), ("::1%lo", "[::1%lo]:53"),
    ])
    func dnsServersAreRead(text: String, expected: String) throws {
        #expect(try Endpoint.dnsServer(text).description == expected)
    }

    @Test(arguments: [
        ("tls://192.0.2.1", "a server to ask over TLS can't stand here"),
        ("TLS://dns.example:853", "a server to ask over TLS can't stand here"),
        ("quic://192.0.2.1", "DNS over QUIC is not supported"), ("udp://192.0.2.1", "URL of this kind"),
        ("dns.example", "is a name"), ("fe80::1", "without its link"), ("[fe80::1]:53", "without its link"),
        ("2001:db8::1%eth0", "not a link-local address"), ("192.0.2.1%eth0", "not a link-local address"),
        ("fe80::1%", "can't be an interface's name"), ("fe80::1%et/h0", "can't be an interface's name"),
        ("fe80::1%an-interface-name-too-long", "can't be an interface's name"),
        ("0.0.0.0", "unspecified address"), ("[::]", "unspecified address"), ("0.0.0.0:5353", "unspecified address"),
        ("[::ffff:0.0.0.0]:53", "unspecified address"),
    ])
    func otherDNSServersAreRefused(text: String, reason: String) {
        let error = #expect(throws: InputError.self) { () throws in try Endpoint.dnsServer(text) }
        #expect(
            error?.message.contains("'\(text)'") == true && error?.message.contains(reason) == true, "\(error as Any)")
    }

    @Test(arguments: ["::1:9443", "2001:db8::1:443", "fe80::1:8"])
    func anAddressWithADoubtfulPortIsRefused(text: String) throws {
        let error = #expect(throws: InputError.self) { () throws in try Target(text) }
        let colon = try #require(text.lastIndex(of: ":"))
        let remedy = "[\(text[..<colon])]:\(text[text.index(after: colon)...])"
        #expect(error?.remedy.contains("write \(remedy) for the port") == true, "\(error as Any)")
        #expect(try Target(remedy).port == UInt16(text[text.index(after: colon)...]))
        #expect(try Target("[\(text)]").port == 443)
    }

    /// Nothing in these can be a port.
    @Test(arguments: ["::1", "2001:db8::a:b", "2001:db8::1:0443", "2001:db8:0:0:0:0:0:1", "::1:99999", "::"])
    func otherBareAddressesAreRead(text: String) throws {
        guard !text.contains("99999") else {
            #expect(throws: InputError.self) { () throws in try Target(text) }
            return
        }
        #expect(try Target(text).port == 443)
    }

    /// Behind a zone nothing can be a port.
    @Test func aZoneEndsTheDoubt() throws {
        #expect(try Endpoint.dnsServer("fe80::1:53%eth0").description == "[fe80::1:53%eth0]:53")
        #expect(throws: InputError.self) { () throws in try Endpoint.dnsServer("2001:db8::1:53") }
    }

    @Test("[R95, R99] the forms a target is written in") func formsOfTargets() throws {
        #expect(try Target("Example.COM.").description == "example.com:443")
        #expect(try Target("wss://janus.example.com:8989/ws").description == "janus.example.com:8989")
        #expect(try Target("[::1]:8443").description == "[::1]:8443")
        #expect(try Target("::1").description == "[::1]:443")
    }

    @Test("an IPv6 address may have the brackets of a URL, and nothing else may") func bracketedNames() throws {
        #expect(try ServerName("[::1]") == ServerName("::1"))
        for text in ["[192.0.2.1]", "[a.test]", "[::1", "::1]", "[]", "[:]", "[[::1]]"] {
            #expect(throws: InputError.self, "\(text)") { () throws in try ServerName(text) }
        }
    }

    @Test("a scheme names the protocol that starts TLS, and its port", arguments: StartTLS.allCases)
    func schemesOfProtocols(known: StartTLS) throws {
        let target = try Target("\(known.rawValue.uppercased())://mail.test")
        #expect(target.startTLS == known && target.port == known.port)
        #expect(target.description == "\(known.rawValue)://mail.test:\(known.port)")
        #expect(try Target(target.description) == target)
        #expect(try Target("mail.test", startTLS: known) == target)
        #expect(try Target("[::1]:99", startTLS: known).description == "\(known.rawValue)://[::1]:99")
        #expect(target.dialled(at: try Endpoint("[::1]:1")).startTLS == known)
        #expect(throws: InputError.self) { () throws in try Target("tls://mail.test", startTLS: known) }
    }

    @Test func protocolsOnOnePortAreTargetsOfTheirOwn() throws {
        #expect(try Target("smtp://mail.test:25") != Target("mail.test:25"))
        #expect(try Target("postgresql://db.test").startTLS == .postgres)
        #expect(try Target("XMPP://chat.test").startTLS == .xmppClient)
        for (name, known) in [
            ("xmpp", StartTLS.xmppClient), ("xmpp_server", .xmppServer), ("MariaDB", .mysql), ("managesieve", .sieve),
        ] { #expect(try StartTLS(name) == known) }
    }

    @Test(
        "credentials are refused and not repeated",
        arguments: [
            "bob:s3cret@good.test", "bob:s3cret@good.test:443", "s3cret@good.test", "[s3cret@::1]:443",
            "bob:s3cret@:443",
            "https://bob:s3cret@good.test", "ftp://bob:s3cret@good.test", "bob:s3cret@good://test",
            "bob:s3crét@good.test",
        ])
    func credentials(text: String) {
        let readers: [(String) throws -> Void] = [
            { _ = try Target($0) }, { _ = try Endpoint($0, defaultPort: 443, allowsZone: true) },
            { _ = try ServerName($0) }, { _ = try ServerName.read(wireText: "ip:\($0)") },
        ]
        for read in readers {
            let error = #expect(throws: InputError.self) { try read(text) }
            #expect(error?.message.hasSuffix(" carries credentials") == true, "\(error as Any)")
            #expect(error?.description.contains("s3cr") == false, "\(error as Any)")
        }
    }
}
