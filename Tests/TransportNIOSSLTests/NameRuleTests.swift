import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// Our comparison of names with that of a NIOSSL client, which decides by itself in a real handshake.
@Suite(.bounded) struct NameRuleTests {
    private static let pki = LabPKI(epoch: .now)

    /// The names in a certificate.
    private struct Names: Sendable {
        var dns: [String] = []
        var addresses: [IPAddress] = []
        var commonName = "common.test"
    }

    private static let hosts = [
        "good.test", "www.good.test", "a.good.test", "a.b.good.test", "wild.test", "www.wild.test", "w.wild.test",
        "xn--www-5da.wild.test", "common.test", "localhost",
    ]

    private static let certificates: [Names] = [
        Names(dns: ["good.test", "www.good.test"]), Names(dns: ["GOOD.Test"]), Names(dns: ["good.test."]),
        Names(dns: ["*.wild.test"]), Names(dns: ["w*.wild.test"]), Names(dns: ["*w.wild.test"]),
        Names(dns: ["w*w.wild.test"]), Names(dns: ["ww*ww.wild.test"]), Names(dns: ["*.*.good.test"]),
        Names(dns: ["a.*.good.test"]), Names(dns: ["**.wild.test"]), Names(dns: ["*.test"]), Names(dns: ["*"]),
        Names(dns: ["xn--*.wild.test"]), Names(dns: ["good_test"]), Names(dns: ["*.wild.test", "good.test"]),
        Names(commonName: "good.test"), Names(commonName: "*.wild.test"),
        Names(dns: ["other.test"], commonName: "good.test"),
        Names(addresses: [.loopback4], commonName: "good.test"),
        Names(addresses: [.loopback6], commonName: "good.test"),
        Names(dns: ["good.test"], addresses: [.loopback4]),
    ]

    @Test(arguments: certificates.indices)
    func everyNameIsTakenAsByNIOSSL(_ index: Int) async throws {
        let names = Self.certificates[index]
        let recipe = LabCertificateRecipe.leaf("name-\(index)") {
            $0.commonName = names.commonName
            $0.dnsNames = names.dns
            $0.addresses = names.addresses
        }
        let leaf = try Self.pki.issue(recipe)
        let chain = [leaf, try Self.pki.certificate(of: .intermediate)]
        let read = BoringSSLNames(try BoringSSLCertificate(der: leaf))
        let server = try await Self.serve(chain, key: Self.pki.key(recipe.key).pem)
        let port = try #require(server.localAddress?.port)
        for host in Self.hosts {
            let accepts = try await Self.clientAccepts(host, port: port)
            let rule = NIOSSLNameRule.accepts(read, for: try ServerName(host), dialled: .loopback4)
            #expect(rule == accepts, "\(names) for \(host)")
        }
        let accepts = try await Self.clientAccepts(nil, port: port)
        #expect(NIOSSLNameRule.accepts(read, for: .ip(.loopback4), dialled: nil) == accepts, "\(names) for an address")
        try await server.close()
    }

    /// The trust decision is made with that rule.
    @Test func theDecisionIsThatOfTheRule() async throws {
        let transport = NIOSSLTransport()
        let question = try Fixture.pki.question(.partialWildcard, name: "www.wild.test")
        #expect(await transport.evaluateTrust(question).isAccepted)
        #expect(await transport.evaluateTrust(try Fixture.pki.question(.wrongName)).cause == .hostnameMismatch)
    }

    private static func serve(_ chain: [[UInt8]], key: String) async throws -> any Channel {
        let configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
        let context = try NIOSSLContext(configuration: configuration)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Returns true if a client with NIOSSL's defaults accepts the server; a host that it can't connect to is refused.
    private static func clientAccepts(_ host: String?, port: Int) async throws -> Bool {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([
            try NIOSSLCertificate(bytes: pki.certificate(of: .root), format: .der)
        ])
        let context = try NIOSSLContext(configuration: configuration)
        let done = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Bool.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: host))
                    try pipeline.addHandler(Witness(done))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let accepts = try await done.futureResult.get()
        try? await channel.close()
        return accepts
    }

    /// Waits for the end of the handshake.
    private final class Witness: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let done: EventLoopPromise<Bool>

        init(_ done: EventLoopPromise<Bool>) { self.done = done }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted? = event as? TLSUserEvent { done.succeed(true) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { done.succeed(false) }
        func channelInactive(context: ChannelHandlerContext) { done.succeed(false) }
    }
}
