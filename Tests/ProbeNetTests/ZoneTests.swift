import NIOCore
import ProbeKit
import Testing

@testable import ProbeNet

/// The zone of a link-local address leads to the number of an interface, for servers and resolvers alike.
@Suite struct ZoneTests {
    @Test func aZoneIsANumberOrAName() {
        #expect(Endpoint.interfaceNumber(of: "7") == 7)
        #expect(Endpoint.interfaceNumber(of: "0") == nil)
        #expect(Endpoint.interfaceNumber(of: "no-such-link") == nil)
    }

    @Test func aServersSocketAddressHasItsScope() throws {
        let server = try Endpoint.dnsServer("[fe80::1%1]:53")
        #expect(try server.scopeID() == 1)
        #expect(try server.socketAddress() == .makeAddressResolvingHost("fe80::1%1", port: 53))
        #expect(try server.socketAddress() != .makeAddressResolvingHost("fe80::1%2", port: 53))
    }

    @Test func anInterfaceThatIsMissingIsNamed() throws {
        let server = try Endpoint.dnsServer("[fe80::1%no-such-link]:53")
        let words = "the DNS server \(server) is on an interface that this machine does not have"
        let failures = [
            #expect(throws: DNSFailure.self) { try server.scopeID() },
            #expect(throws: DNSFailure.self) { try server.socketAddress() },
        ]
        #expect(failures.compactMap { $0?.message } == [words, words])
    }
}
