import Foundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// The ways to a server, as far as TLS.
@Suite(.bounded) struct RouteTests {
    private static func open(
        _ target: Endpoint, _ route: HandshakeRequest.Route, _ lookup: HostLookup = .system
    ) async -> HandshakeFailure? {
        let request = HandshakeRequest(
            endpoint: target, serverName: target.host, anchors: .none, instant: .now, deadline: .after(.seconds(1800)),
            route: route)
        let (report, socket) = await HandshakeDriver.open(request, over: ProbeNetwork(lookup: lookup)) {
            _ throws(HandshakeFailure) in throw HandshakeFailure(.unsupported, "")
        }
        #expect((socket == nil) == (report.failure != nil))
        return report.failure
    }

    @Test("socks5 looks names up here, socks5h does not") func lookups() async throws {
        let name = Endpoint(host: .dns("good.test"), port: 443)
        let address = Endpoint(host: .ip(try #require(IPAddress("192.0.2.7"))), port: 443)
        let known = HostLookup { _ in .success([IPAddress("192.0.2.7"), IPAddress("192.0.2.8")].compactMap(\.self)) }
        let unknown = HostLookup { _ in .failure(LookupFailure(code: EAI_NONAME)) }
        for (scheme, asked) in [(HandshakeRequest.Proxy.Scheme.socks5, address), (.socks5h, name)] {
            let peer = LabPeer.tls(LabTLSRecipe(.good, dialogue: LabDialogue(proxy: scheme, to: asked)))
            try await LabServer.run(peer, pki: LabPKI(epoch: .now)) { server in
                let route = HandshakeRequest.Route.proxy(HandshakeRequest.Proxy(scheme, at: server.endpoint))
                #expect(await Self.open(name, route, known) == nil)
                let lost = await Self.open(name, route, unknown)
                #expect(lost?.code == (scheme == .socks5 ? .nameNotFound : nil))
            }
        }
    }

    @Test("credentials that SOCKS has no room for are refused before it is dialled") func credentials() async throws {
        let place = Endpoint(host: .ip(.loopback4), port: 1)
        for text in ["user", ":word", "user:", "user:" + String(repeating: "x", count: 256), "a\r\nb:c"] {
            let proxy = HandshakeRequest.Proxy(
                .socks5h, at: place, credentials: .basic(Secret(copying: Array(text.utf8).span)))
            #expect(await Self.open(place, .proxy(proxy))?.code == .unsupported, "\(text.count)")
        }
    }

    @Test("a socket of the file system is dialled in place of the target") func localSocket() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "p\(UUID().uuidString.prefix(8))").path
        defer { unsafe _ = unlink(path) }
        let target = Endpoint(host: .dns("good.test"), port: 443)
        let absent = await Self.open(target, .socket(path: path))
        #expect(absent?.code.isUnreachable == true && absent?.message.contains(path) == true)
        let listener = socket(AF_UNIX, Platform.stream, 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 8) == 0)
        #expect(await Self.open(target, .socket(path: path)) == nil)
    }

    @Test(
        "a zone means nothing to a proxy, which is not dialled then", arguments: HandshakeRequest.Proxy.Scheme.allCases)
    func zoneBehindProxy(scheme: HandshakeRequest.Proxy.Scheme) async throws {
        let place = try Endpoint("[fe80::1%lo]:443", allowsZone: true)
        // Nothing listens on the port, so that a proxy that is dialled fails with another code.
        let proxy = HandshakeRequest.Proxy(scheme, at: Endpoint(host: .ip(.loopback4), port: 1))
        let failure = await Self.open(place, .proxy(proxy))
        #expect(failure?.code == .unsupported && failure?.cause == .zoneBehindProxy)
        #expect(failure?.message.contains("[fe80::1%lo]:443") == true, "\(String(describing: failure))")
    }

    @Test("a zone that this machine does not have is named") func zones() async throws {
        let place = try Endpoint("[fe80::1%nosuch0]:443", allowsZone: true)
        let failure = await Self.open(place, .direct)
        #expect(failure?.code == .networkUnreachable)
        #expect(failure?.message.contains("no interface 'nosuch0'") == true, "\(String(describing: failure))")
    }
}
