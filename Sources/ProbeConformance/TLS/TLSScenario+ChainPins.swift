import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Pins of leaf, intermediate and root as alternatives, and how wide that makes a group (requirements 57 to 65, 101).
    static let chainPins: [TLSScenario] = [
        chain(
            "one-set", "Raw-key pins of leaf, intermediate and root are alternatives; the leaf's is enough.",
            .leaf(.good), .authority(.otherIntermediate), .authority(.otherRoot), serving: .good,
            source: "requirements 57, 58, 59, 65 and 102"),
        chain(
            "effective-scope", "However narrow the match, the scope is that of the widest pin that matches.",
            .leaf(.good), .authority(.root), serving: .good, source: "requirement 65",
            says: ["certificate 0", "certificate 2 is pinned too", "issued under 'CN=ProbeKit Lab Root'"]),
        chain(
            "new-leaf", "With a new leaf the intermediate's pin is enough, and its scope is said.", .leaf(.good),
            .authority(.intermediate), serving: .renewedNewKey, source: "requirements 57, 59 and 65",
            says: ["certificate 1", "issued under 'CN=ProbeKit Lab Intermediate'"]),
        chain(
            "root", "The root's pin is enough for any leaf below it.", .authority(.root), serving: .fourDeep,
            source: "requirements 57, 59 and 65", says: ["certificate 4", "issued under 'CN=ProbeKit Lab Root'"]),
        chain(
            "unreadable-key", "A certificate whose key can't be read is passed over, and the search goes on.",
            .authority(.intermediate), serving: .unreadableExtra, source: "requirement 61", says: ["certificate 1"]
        ).with { $0.facts.append(.finding("unreadable-key")) },
        chain(
            "unreadable-key-presented", "In the chain as presented too, where it comes before the match.",
            .authority(.intermediate), serving: .unreadableExtra, in: .presented, source: "requirement 61",
            says: ["certificate 2"]),
        TLSScenario(
            "chain-pins/none", "Where none of them matches, the check fails.", source: "requirements 57, 60 and 103",
            .good, .pinMismatch, code: Outcome.pinMismatch.rawValue
        ).with {
            $0.pins = [
                PinGroupRecipe(
                    PinRecipe(.rawkey, of: .leaf(.second)), PinRecipe(.rawkey, of: .authority(.otherIntermediate)),
                    PinRecipe(.rawkey, of: .authority(.otherRoot)), at: .any)
            ]
        },
        TLSScenario(
            "chain-pins/spki-as-rawkey", "The hash that the published command prints is not the pinned kind.",
            source: "requirement 63, decided: pin-kinds", .good, .pinMismatch, code: Outcome.pinMismatch.rawValue
        ).with {
            $0.pins = [PinGroupRecipe(PinRecipe(.rawkey, of: .leaf(.good), made: .spki), at: .any)]
            $0.facts = [.says("the SPKI hash of certificate 0", in: "pin-mismatch")]
        },
        TLSScenario(
            "chain-pins/index-3", "The fourth certificate is not among the first three.",
            source: "requirements 101, 102 and 103", .fourDeep, .pinMismatch, code: Outcome.pinMismatch.rawValue
        ).with {
            $0.pins = [PinGroupRecipe(PinRecipe(.rawkey, of: .authority(.deep(1))), at: .first(3))]
            $0.facts = [.says("that pin is of certificate 3", in: "pin-mismatch")]
        },
        TLSScenario(
            "chain-pins/index-2", "The third is.", source: "requirements 101, 102 and 104", .fourDeep, .pass
        ).with {
            $0.pins = [
                PinGroupRecipe(
                    PinRecipe(.rawkey, of: .nothing), PinRecipe(.rawkey, of: .authority(.deep(2))), at: .first(3))
            ]
            $0.facts = [.finding("pin-matched")]
        },
        TLSScenario(
            "chain-pins/trust-first", "A pin that matches makes no expired chain valid: trust comes first.",
            source: "requirements 52 and 56", .expired, .trustFailed, code: TrustCause.expired.rawValue
        ).with {
            $0.pins = [PinGroupRecipe(PinRecipe(.rawkey, of: .leaf(.expired)), at: .any)]
            $0.facts = [.finding("pin-matched")]
        },
    ]

    private static func chain(
        _ id: String, _ sentence: String, _ subjects: PinRecipe.Subject..., serving identity: LabIdentityName,
        in chain: PinChain = .validated, source: String, says words: [String] = []
    ) -> TLSScenario {
        TLSScenario(
            "chain-pins/" + id, sentence, source: source + ", decided: widest-pin", identity, .pass
        ).with {
            $0.pins = [PinGroupRecipe(subjects.map { PinRecipe(.rawkey, of: $0) }, at: .any, in: chain)]
            $0.facts = [.finding("pin-matched")] + words.map { .says($0, in: "pin-matched") }
        }
    }
}
