import ProbeKit
import Testing

@Suite struct EndpointTests {
    @Test(
        "[R72] a host is read as a whole",
        arguments: ["a b", "", "host:0", "host:65536", "host:", "[::1", "1.2.3.256:443", "ex..com", "-a.com", "é.fr"])
    func badHostsAreRefused(text: String) {
        #expect(throws: InputError.self) { () throws in try Target(text) }
    }

    @Test("[R95, R99] the forms a target is written in") func formsOfTargets() throws {
        #expect(try Target("Example.COM.").description == "example.com:443")
        #expect(try Target("wss://janus.example.com:8989/ws").description == "janus.example.com:8989")
        #expect(try Target("[::1]:8443").description == "[::1]:8443")
        #expect(try Target("::1").description == "[::1]:443")
    }
}
