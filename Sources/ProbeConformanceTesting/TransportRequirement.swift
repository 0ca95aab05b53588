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

    /// Checks the promise with a transport, and records an issue if it is broken. A transport without the promise's
    /// capabilities is not asked.
    ///
    /// - Parameters:
    ///   - exemptions: known differences of the transport, with the reasons; a stale one is an issue too.
    ///   - sourceLocation: the location of issues.
    public func verify(
        _ transport: any Transport, exemptions: ConformanceExemptions = ConformanceExemptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let cell = await scenario.exempting(exemptions).cell(of: transport, pki: .suite)
        Requirement.record(cell, of: id, option: "--backend", sourceLocation)
    }
}
