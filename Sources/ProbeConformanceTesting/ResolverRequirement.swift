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

    /// Checks the promise with a resolver, and records an issue if it is broken. A resolver without the question's
    /// capabilities is not asked.
    ///
    /// - Parameters:
    ///   - exemptions: known differences of the resolver, with the reasons; a stale one is an issue too.
    ///   - sourceLocation: the location of issues.
    public func verify(
        _ resolver: any Resolver, exemptions: ConformanceExemptions = ConformanceExemptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let cell = await scenario.exempting(exemptions).cell(of: resolver)
        Requirement.record(cell, of: id, option: "--resolver", sourceLocation)
    }
}
