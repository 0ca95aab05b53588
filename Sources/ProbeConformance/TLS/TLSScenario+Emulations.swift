import ProbeKit
import ProbeLab
import ProbeTrust

extension TLSScenario {
    /// The result of a shipped client's looser name check for a chain, beside ours (requirement 86).
    static let emulations: [TLSScenario] = [
        emulated("same", "Where both readings find the name, that is noted.", .good, .pass, "emulated-name"),
        emulated("case", "Case does not matter to it.", .good, .pass, "emulated-name", name: "GOOD.test"),
        emulated(
            "wildcard", "It reads no wildcards: what we accept would cut its users off.", .wildcard, .trustFailed,
            "emulation-differs", name: "a.wild.test"),
        emulated(
            "address", "Nor addresses.", .address, .trustFailed, "emulation-differs", name: "127.0.0.1"),
        emulated(
            "other-certificate", "A name in a further certificate is enough for it, and not for us.",
            .nameInIntermediate, .trustFailed, "emulation-differs", code: TrustCause.hostnameMismatch.rawValue),
        emulated(
            "neither", "Where neither finds it, that is noted beside our refusal.", .wrongName, .trustFailed,
            "emulated-name", code: TrustCause.hostnameMismatch.rawValue),
        TLSScenario(
            "emulations/strict", "Unasked, ours alone counts.", source: "requirements 83 and 86, decided: leaf-name",
            .wildcard, .pass
        ).with { $0.name = "a.wild.test" },
    ]

    private static func emulated(
        _ id: String, _ sentence: String, _ identity: LabIdentityName, _ expected: Outcome, _ finding: String,
        name: String = "good.test", code: String? = nil
    ) -> TLSScenario {
        TLSScenario(
            "emulations/" + id, sentence, source: "requirements 83 and 86, decided: leaf-name, decided: upstream-traps",
            identity, expected,
            code: expected == .pass ? nil : code ?? finding
        ).with {
            $0.name = name
            $0.readsNamesExactly = true
            $0.facts = [.finding(finding)]
        }
    }
}
