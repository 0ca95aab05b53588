import ProbeConformance
import ProbeKit
import ResolverCAres
import ResolverDoH
import ResolverLDNS
import ResolverUnbound
import Testing
import TransportCurl
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

/// The backends that the suite runs against. A new one is a line in one of the lists.
enum BackendsUnderTest {
    static let transports: [TransportUnderTest] = [
        TransportUnderTest("openssl") { OpenSSLTransport() },
        TransportUnderTest("gnutls") { GnuTLSTransport() },
        TransportUnderTest("curl") { CurlTransport() },
        TransportUnderTest("nio") { NIOSSLTransport() },
    ]

    static let resolvers: [any Resolver] = ResolverUnderTest.all.map(\.resolver)
}

/// A transport under test, made once; a test that needs it fails if it can't be made.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let made: Result<any Transport, any Error>

    init(_ name: String, _ make: () throws -> any Transport) {
        testDescription = name
        made = Result(catching: make)
    }

    func get() throws -> any Transport { try made.get() }
}

/// The resolvers that the suite is run over.
struct ResolverUnderTest: Sendable, CustomTestStringConvertible {
    let resolver: any Resolver

    static let all: [ResolverUnderTest] =
        [
            ResolverUnderTest(resolver: LDNSResolver(tls: OpenSSLTransport.engineMaker())),
            ResolverUnderTest(resolver: CAresResolver(tls: OpenSSLTransport.engineMaker())),
            ResolverUnderTest(resolver: UnboundResolver()),
            ResolverUnderTest(resolver: DoHResolver()),
        ]

    var testDescription: String { resolver.name }
}
