import ProbeKit
import ProbeLab
import ProbeRun

extension TLSScenario {
    /// Pins with more than one valid path: they are judged on the path that the stack itself verified, and on the
    /// reference verifier's beside it.
    ///
    /// The issuer of `twin-issuers` was certified by both roots, and both are trusted. The stacks follow the
    /// certificate that was sent first, to the root; the reference verifier the one that the leaf's key identifier
    /// names, to the other root. With `marked-twin-first` all take the path to the other root.
    static let paths: [TLSScenario] = takenPaths + chosenPaths + otherPaths

    private static let source = "decided: own-paths"
    private static let root = PinRecipe(.spki, of: .authority(.root))
    private static let otherRoot = PinRecipe(.spki, of: .authority(.otherRoot))
    private static let twin = PinRecipe(.spki, of: .authority(.markedTwin))

    private static func twins(
        _ id: String, _ sentence: String, _ pins: PinGroupRecipe..., expecting expected: Outcome, code: String? = nil,
        says words: [TLSFact] = []
    ) -> TLSScenario {
        TLSScenario("paths/" + id, sentence, source: source, .twinIssuers, expected, code: code).with {
            $0.anchors = [.authority(.root), .authority(.otherRoot)]
            $0.pins = pins
            $0.facts = words
            $0.needs = [.verifiedPath]
        }
    }

    private static func divided(_ id: String, _ sentence: String, _ pins: PinGroupRecipe...) -> TLSScenario {
        twins(
            id, sentence, expecting: .stacksDisagree, code: "paths-differ",
            says: [
                .says("'CN=ProbeKit Lab Root'", in: "paths-differ"),
                .says("'CN=ProbeKit Lab Other Root'", in: "paths-differ"),
            ]
        ).with { $0.pins = pins }
    }

    private static let takenPaths: [TLSScenario] = [
        divided(
            "stack-root", "A pin of the root that only the stack's path has does not pass.",
            PinGroupRecipe(root, at: .ca)),
        divided(
            "reference-root", "Nor does one of the root that only the reference verifier's path has.",
            PinGroupRecipe(otherRoot, at: .ca)),
        divided(
            "certificate", "Nor does a certificate pin of one of the two intermediates.",
            PinGroupRecipe(PinRecipe(.cert, of: .authority(.unmarkedTwin)), at: .ca)),
        divided(
            "first-3", "However the position is written.", PinGroupRecipe(otherRoot, at: .first(3))),
        divided(
            "second-group", "One group that depends on the path is enough.",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.twinIssuers)), at: .leaf), PinGroupRecipe(root, at: .ca)),
        divided("before-the-request", "The server is not asked for its time then.", PinGroupRecipe(root, at: .ca))
            .with { $0.serverDate = .always },
        divided("expected-certificate", "Nor does a certificate that is compared.").with {
            $0.certificates = [CertificateRecipe(.authority(.markedTwin), at: .ca)]
        },
        twins(
            "shared-key", "The key that both intermediates have is on both paths.", PinGroupRecipe(twin, at: .ca),
            expecting: .pass
        ).with { $0.facts = [.ownPath] },
        twins(
            "leaf", "The leaf is on every path.",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.twinIssuers)), at: .leaf), expecting: .pass
        ).with { $0.facts = [.ownPath] },
        twins(
            "both-roots", "With both roots pinned one matches on each path.",
            PinGroupRecipe(root, otherRoot, at: .ca), expecting: .pass,
            says: [.says("under 'CN=ProbeKit Lab Root' or 'CN=ProbeKit Lab Other Root'", in: "pin-matched")]),
        twins(
            "neither", "A pin that is on neither path fails as ever.",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.otherIntermediate)), at: .ca), expecting: .pinMismatch,
            code: Outcome.pinMismatch.rawValue),
        twins(
            "reported", "A group that only reports fails nothing.", PinGroupRecipe(root, at: .ca, isEnforced: false),
            expecting: .passWithWarnings, says: [.says("hold on the path of", in: "pin-mismatch-reported")]),
    ]

    /// With `--trust` the path of one verifier decides, and the other's is that of some clients.
    private static let chosenPaths: [TLSScenario] = [
        twins(
            "native-root", "Where the stack alone decides, its path does, and the other is reported.",
            PinGroupRecipe(root, at: .ca), expecting: .passWithWarnings,
            says: [
                .says("the reference verifier takes", in: "pin-depends-on-path"),
                .says("'CN=ProbeKit Lab Other Root'", in: "pin-depends-on-path"),
            ]
        ).with { $0.trust = .native },
        twins(
            "native-other-root", "A pin that is not on the stack's path fails then.",
            PinGroupRecipe(otherRoot, at: .ca), expecting: .pinMismatch, code: Outcome.pinMismatch.rawValue
        ).with { $0.trust = .native },
        twins(
            "reference-other-root", "Where the reference verifier alone decides, its path does.",
            PinGroupRecipe(otherRoot, at: .ca), expecting: .passWithWarnings,
            says: [.says("> 'CN=ProbeKit Lab Root', which", in: "pin-depends-on-path")]
        ).with { $0.trust = .reference },
        twins(
            "reference-stack-root", "And a pin that is not on it fails.", PinGroupRecipe(root, at: .ca),
            expecting: .pinMismatch, code: Outcome.pinMismatch.rawValue
        ).with { $0.trust = .reference },
    ]

    private static let otherPaths: [TLSScenario] = [
        TLSScenario(
            "paths/another",
            "A pin that holds on the path that everyone takes, and not on another valid one, is a warning.",
            source: source, .markedTwinFirst, .passWithWarnings
        ).with {
            $0.anchors = [.authority(.root), .authority(.otherRoot)]
            $0.pins = [PinGroupRecipe(otherRoot, at: .ca)]
            $0.facts = [
                .finding("pin-matched"),
                .says("a client that trusts 'CN=ProbeKit Lab Root'", in: "pin-depends-on-path"),
            ]
        },
        TLSScenario(
            "paths/another-with-the-pin", "Where it holds on all of them there is nothing to say.", source: source,
            .crossSigned, .pass
        ).with {
            $0.anchors = [.authority(.root), .authority(.otherRoot)]
            $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .authority(.intermediate)), at: .ca)]
        },
        TLSScenario(
            "paths/appended-signer", "A certificate that is on another valid path is not merely sent along.",
            source: source, .crossSigned, .pass
        ).with {
            $0.anchors = [.authority(.root), .authority(.otherRoot)]
            $0.pins = [PinGroupRecipe(PinRecipe(.cert, of: .authority(.crossSigned)), at: .ca, in: .presented)]
            $0.facts = [.finding("pin-matched")]
        },
    ]
}
