import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeProfiles

/// Profiles as text, linted at one instant.
enum Linted {
    static let now = "2026-03-01T00:00:00Z"

    static func findings(
        _ text: String, at instant: String = now, facts: LintFacts = LintFacts()
    ) throws -> [LintFinding] {
        let profile = try ProfileFile.parse("profile: 1\n" + text, from: "app.yaml")
        return ProfileLint(profile, facts: facts).findings(at: try RFC3339.parse(instant))
    }

    static func codes(_ text: String, at instant: String = now, facts: LintFacts = LintFacts()) throws -> [String] {
        try findings(text, at: instant, facts: facts).map(\.code)
    }
}

/// Chains of the lab.
struct LintChains {
    let pki: LabPKI

    init(at instant: String = Linted.now) throws {
        pki = LabPKI(epoch: try RFC3339.parse(instant))
    }

    /// Returns the evidence from `good.test` with one of the lab's identities.
    func served(_ name: LabIdentityName = .good) async throws -> ConnectionEvidence {
        await SuppliedChain.evidence(
            try pki.identity(name).chain, for: try ServerName("good.test"), anchors: try pki.anchors(), at: pki.epoch)
    }

    /// Returns a pin of the certificate at a depth of the validated chain.
    func pin(_ kind: PinKind, _ depth: Int, of connection: ConnectionEvidence) throws -> String {
        let certificate = connection.certificates[connection.indices(of: .validated)[depth]]
        return Pin(kind: kind, digest: try certificate.digests.get()[kind]).description
    }
}
