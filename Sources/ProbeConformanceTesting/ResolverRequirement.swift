public import ProbeConformance
public import ProbeKit
public import Testing

/// One promise that every resolver makes, as a test argument. This is a whole test:
///
///     @Test(arguments: ResolverRequirement.all)
///     func fooResolver(meets requirement: ResolverRequirement) async throws {
///         try await requirement.verify(FooResolver())
///     }
///
/// Servers are started on loopback as they are needed; nothing else is contacted.
public struct ResolverRequirement: Sendable, Identifiable, CustomTestStringConvertible {
    /// All of them, by topic.
    public static let all = DNSScenario.all.map(ResolverRequirement.init)

    private let scenario: DNSScenario

    private init(_ scenario: DNSScenario) {
        self.scenario = scenario
    }

    /// Stable, with slashes: `dns/lists/items`.
    public var id: String { scenario.id }
    /// The promise.
    public var sentence: String { scenario.sentence }
    /// The promise's source, for further reading.
    public var source: String { scenario.source }
    /// The id, for the list of tests.
    public var testDescription: String { id }

    /// Holds a resolver to the promise, and records an issue where it is broken. One that does not declare what the
    /// question needs is not asked.
    ///
    /// - Parameters:
    ///   - exemptions: how the resolver is known to differ, and why; one that is stale is an issue too.
    ///   - sourceLocation: where an issue is shown.
    public func verify(
        _ resolver: any Resolver, exemptions: ConformanceExemptions = ConformanceExemptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let cell = await scenario.exempting(exemptions).cell(of: resolver)
        Requirement.record(cell, of: id, option: "--resolver", sourceLocation)
    }
}
