import ProbeKit
import ResolverLDNS
import Testing

/// The resolvers that the suite is run over.
struct ResolverUnderTest: Sendable, CustomTestStringConvertible {
    let resolver: any Resolver
    /// Whether its stack does not say why it gave up, so that only outcomes are compared.
    var hidesReasons = false

    static let all = [
        ResolverUnderTest(resolver: LDNSResolver())
    ]

    var testDescription: String { resolver.identity.name }
}
