import Foundation
import ProbeKit
import ProbeLab

@testable import ProbeTrust

/// Paths of verifiers that do not search, at the epoch of the test certificates.
enum TestHabit {
    static let day = 86_400

    static func leaf(by issuer: LabCertificateRecipe) throws -> ParsedCertificate {
        try TestChain.parsed(.leaf("habit", issuer: nil), by: issuer)
    }

    /// Returns the path's builder for a verifier some of whose roots may be known intermediates alone.
    static func builder(
        _ paths: VerifierHabits.PathBuilding, _ leaf: ParsedCertificate, _ sent: [ParsedCertificate],
        roots: [ParsedCertificate], at seconds: Double = 0, _ change: (inout VerifierHabits) -> Void = { _ in }
    ) -> HabitualPath {
        var habits = VerifierHabits()
        habits.paths = paths
        change(&habits)
        let roots = ParsedAnchors(TrustAnchors(name: "test", certificates: roots.map(\.der)))
        let (ends, known) = roots.divided(by: habits.anchors)
        return HabitualPath(
            leaf: leaf, sent: sent, roots: roots, instant: TestChain.pki.epoch.addingTimeInterval(seconds),
            habits: habits, graph: IssuerGraph(anchors: ends, intermediates: known + sent))
    }

    static func path(
        _ paths: VerifierHabits.PathBuilding, _ leaf: ParsedCertificate, _ sent: [ParsedCertificate],
        anchors: [ParsedCertificate], at seconds: Double = 0, _ change: (inout VerifierHabits) -> Void = { _ in }
    ) -> [[UInt8]]? {
        var builder = Self.builder(paths, leaf, sent, roots: anchors, at: seconds, change)
        var budget = SearchBudget()
        return builder.path(&budget)?.map(\.der)
    }
}
