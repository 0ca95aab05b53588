import ProbeKit
import ProbeRun
import Testing

@testable import ProbeServe

/// Whom the exporter dials for anyone who reaches it.
@Suite struct TargetRulesTests {
    private static let special = [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1",
        "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
        "64:ff9b::a00:1", "100::1", "2001::1", "2001:db8::1", "2002:a00:1::1", "3fff::1", "fc00::1", "fd00:ec2::254",
        "fe80::1", "ff02::1", "5f00::1",
    ]

    @Test(arguments: special) func specialAddressesAreNotDialled(text: String) throws {
        #expect(!TargetRules().allows(try #require(IPAddress(text))))
    }

    @Test(arguments: [
        "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.17.0.1",
        "223.255.255.1",
        "::ffff:8.8.8.8", "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888",
    ])
    func publicAddressesAre(text: String) throws {
        #expect(TargetRules().allows(try #require(IPAddress(text))))
    }

    @Test("a block allows its addresses alone, in either form") func blocks() throws {
        let rules = try TargetRules(blocks: [try AddressBlock("10.0.0.0/8"), try AddressBlock("::1")])
        for (text, isAllowed) in [
            ("10.255.0.1", true), ("::ffff:10.0.0.1", true), ("::1", true), ("11.0.0.1", true), ("192.168.0.1", false),
            ("169.254.169.254", false), ("::2", false),
        ] {
            #expect(rules.allows(try #require(IPAddress(text))) == isAllowed, "\(text)")
        }
    }

    @Test func names() throws {
        let rules = try TargetRules(
            names: [
                "Api.example.com", "*.Shop.example.", "192.0.2.7", "bücher.example", "*.münchen.example", "LOCALHOST.",
            ])
        for (text, isAllowed) in [
            ("api.example.com", true), ("a.shop.example", true), ("a.b.shop.example", true), ("192.0.2.7", true),
            ("xn--bcher-kva.example", true), ("bücher.example", true), ("a.xn--mnchen-3ya.example", true),
            ("localhost", true), ("shop.example", false), ("notshop.example", false), ("example.com", false),
            ("192.0.2.8", false),
        ] {
            #expect(rules.allows(try ServerName(text)) == isAllowed, "\(text)")
        }
    }

    /// A rule that can match nothing would refuse every target.
    @Test(arguments: ["*", "", "a b", "*.", "*.192.0.2.7", "https://a.test", "a.test:443"])
    func faultyNames(name: String) {
        #expect(throws: InputError.self) { try TargetRules(names: [name]) }
    }

    @Test(arguments: ["", "x", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8", "10.0.0.0/8/8", "fd00::/129", "10.0.0.0/a"])
    func faultyBlocks(text: String) {
        #expect(throws: InputError.self) { try AddressBlock(text) }
    }

    @Test(arguments: ["127.0.0.1", "x:1", "127.0.0.1:70000", ":", "127.0.0.1:-1", "127.0.0.1:+39115"])
    func faultyListenAddresses(text: String) {
        #expect(throws: InputError.self) { try ListenAddress(text) }
    }

    @Test func listenAddresses() throws {
        for (text, expected) in [("127.0.0.1:9115", "127.0.0.1:9115"), ("[::1]:0", "[::1]:0")] {
            #expect("\(try ListenAddress(text))" == expected)
        }
    }

    @Test("every address is one of IPv4 where the kernel has no IPv6", arguments: [true, false])
    func everyAddress(hasIPv6: Bool) throws {
        #expect("\(try ListenAddress(":9115", hasIPv6: hasIPv6))" == (hasIPv6 ? "[::]:9115" : "0.0.0.0:9115"))
        // One that was named is never another.
        #expect("\(try ListenAddress("[::]:9115", hasIPv6: hasIPv6))" == "[::]:9115")
    }
}
