import ProbeConformance
import ProbeKit
import ResolverCAres
import ResolverDoH
import ResolverLDNS
import ResolverUnbound
import Testing

/// The resolvers that the suite is run over.
struct ResolverUnderTest: Sendable, CustomTestStringConvertible {
    let resolver: any Resolver

    static let all: [ResolverUnderTest] =
        [
            ResolverUnderTest(resolver: LDNSResolver()),
            ResolverUnderTest(resolver: CAresResolver()),
            ResolverUnderTest(resolver: UnboundResolver()),
        ] + doh

    /// Its own tests fail if it can't be made.
    private static let doh = (try? DoHResolver()).map { [ResolverUnderTest(resolver: $0)] } ?? []

    var testDescription: String { resolver.identity.name }
}
