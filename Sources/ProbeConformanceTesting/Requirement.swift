public import ProbeConformance
public import ProbeKit
import ProbeLab
public import Testing

/// The common parts of all kinds of requirements.
enum Requirement {
    /// Records a broken promise: the promise and its source, the observation, and a way to see more.
    static func record(
        _ cell: ConformanceReport.Cell, of id: String, option: String, _ sourceLocation: SourceLocation
    ) {
        guard let failure = cell.failure else { return }
        Issue.record(
            """
            \(cell.backend): \(failure)
            Both sides of it: your own program's conformance \(option) \(cell.backend) --filter \(id) --format html
            """,
            sourceLocation: sourceLocation)
    }
}

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

/// One promise that every validator of signatures over content makes, as a test argument. This is a whole test:
///
///     @Test(arguments: SignatureRequirement.all)
///     func fooSignatures(meet requirement: SignatureRequirement) async throws {
///         try await requirement.verify(FooSignatures())
///     }
public struct SignatureRequirement: Sendable, Identifiable, CustomTestStringConvertible {
    /// All of them, by topic.
    public static let all = SignatureScenario.all.map(SignatureRequirement.init)

    private let scenario: SignatureScenario

    private init(_ scenario: SignatureScenario) {
        self.scenario = scenario
    }

    /// Stable, with slashes: `signature/content/altered`.
    public var id: String { scenario.id }
    /// The promise.
    public var sentence: String { scenario.sentence }
    /// The promise's source, for further reading.
    public var source: String { scenario.source }
    /// The id, for the list of tests.
    public var testDescription: String { id }

    /// Checks the promise with a validator, and records an issue if it is broken.
    ///
    /// - Parameters:
    ///   - exemptions: known differences of the validator, with the reasons; a stale one is an issue too.
    ///   - sourceLocation: the location of issues.
    public func verify(
        _ validator: any SignatureValidator, exemptions: ConformanceExemptions = ConformanceExemptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let cell = await scenario.exempting(exemptions).cell(of: validator, pki: .suite)
        Requirement.record(cell, of: id, option: "--backend", sourceLocation)
    }
}
