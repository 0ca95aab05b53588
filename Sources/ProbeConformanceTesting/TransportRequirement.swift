public import ProbeConformance
public import ProbeKit
import ProbeLab
public import Testing

/// One promise that every transport makes, as a test argument. This is a whole test:
///
///     @Test(arguments: TransportRequirement.all)
///     func fooTransport(meets requirement: TransportRequirement) async throws {
///         try await requirement.verify(FooTransport())
///     }
///
/// Servers are started on loopback as they are needed; nothing else is contacted.
public struct TransportRequirement: Sendable, Identifiable, CustomTestStringConvertible {
    /// All of them, by topic.
    public static let all = (TLSScenario.all + TLSScenario.divergences).map(TransportRequirement.init)

    private let scenario: TLSScenario

    private init(_ scenario: TLSScenario) {
        self.scenario = scenario
    }

    /// Stable, with slashes: `tls/pins/spki-leaf`.
    public var id: String { scenario.id }
    /// The promise.
    public var sentence: String { scenario.sentence }
    /// The promise's source, for further reading.
    public var source: String { scenario.source }
    /// The id, for the list of tests.
    public var testDescription: String { id }

    /// Holds a transport to the promise, and records an issue where it is broken. One that does not declare what the
    /// promise is about is not asked.
    ///
    /// - Parameters:
    ///   - exemptions: how the transport is known to differ, and why; one that is stale is an issue too.
    ///   - sourceLocation: where an issue is shown.
    public func verify(
        _ transport: any Transport, exemptions: ConformanceExemptions = ConformanceExemptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let cell = await scenario.exempting(exemptions).cell(of: transport, pki: .suite)
        Requirement.record(cell, of: id, option: "--backend", sourceLocation)
    }
}
