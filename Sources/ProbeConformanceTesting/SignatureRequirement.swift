public import ProbeConformance
public import ProbeKit
import ProbeLab
public import Testing

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
