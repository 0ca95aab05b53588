import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Pins: kinds, positions, chains, groups, renewals.
    static let pins: [TLSScenario] =
        PinKind.allCases.flatMap(everyPosition) + confusedKinds + groups + renewals + limits + chainsOfPins
        + besideTrust

    private static func pin(
        _ id: String, _ sentence: String, source: String, _ groups: PinGroupRecipe...,
        serving identity: LabIdentityName = .good, expecting expected: Outcome, facts: [TLSFact] = []
    ) -> TLSScenario {
        TLSScenario(
            "pins/" + id, sentence, source: source, identity, expected,
            code: expected == .pinMismatch ? Outcome.pinMismatch.rawValue : nil
        ).with {
            $0.pins = groups
            $0.facts = facts + (expected == .pass && !groups.isEmpty ? [.finding("pin-matched")] : [])
        }
    }

    /// Returns scenarios for every position: the good chain is presented as leaf, intermediate; the validated one ends
    /// with the root.
    private static func everyPosition(_ kind: PinKind) -> [TLSScenario] {
        let leaf = PinRecipe(kind, of: .leaf(.good))
        let intermediate = PinRecipe(kind, of: .authority(.intermediate))
        let root = PinRecipe(kind, of: .authority(.root))
        let nothing = PinRecipe(kind, of: .nothing)
        let name = "\(kind.name) pin"
        return [
            pin(
                "\(kind)-leaf", "A \(name) of the leaf matches the leaf.", source: "requirements 2, 4 and 58",
                PinGroupRecipe(leaf, at: .leaf), expecting: .pass),
            pin(
                "\(kind)-leaf-presented", "So it does in the chain as presented.", source: "requirements 2, 4 and 58",
                PinGroupRecipe(leaf, at: .leaf, in: .presented), expecting: .pass),
            pin(
                "\(kind)-wrong", "A \(name) of another certificate matches nothing.", source: "requirements 60 and 103",
                PinGroupRecipe(nothing, at: .any), expecting: .pinMismatch,
                facts: [.says("the server has", in: "pin-mismatch")]),
            pin(
                "\(kind)-backup", "One of several pins is enough.", source: "requirement 104",
                PinGroupRecipe(nothing, leaf, at: .leaf), expecting: .pass),
            pin(
                "\(kind)-ca", "A \(name) of the intermediate matches among the CAs.",
                source: "Apple: NSPinnedCAIdentities",
                PinGroupRecipe(intermediate, at: .ca), expecting: .pass),
            pin(
                "\(kind)-root", "So does one of the root, which the server does not send.",
                source: "requirement 57, decided: presented-chain",
                PinGroupRecipe(root, at: .ca), expecting: .pass),
            pin(
                "\(kind)-any", "At any position each of the three matches.", source: "requirement 57",
                PinGroupRecipe(leaf, at: .any), PinGroupRecipe(intermediate, at: .any), PinGroupRecipe(root, at: .any),
                expecting: .pass),
            pin(
                "\(kind)-ca-as-leaf", "A \(name) of the intermediate does not match the leaf.",
                source: "Apple: NSPinnedLeafIdentities", PinGroupRecipe(intermediate, at: .leaf),
                expecting: .pinMismatch,
                facts: [.says("that pin is of certificate 1", in: "pin-mismatch")]),
            pin(
                "\(kind)-leaf-as-ca", "A \(name) of the leaf does not match among the CAs.",
                source: "Apple: NSPinnedCAIdentities", PinGroupRecipe(leaf, at: .ca), expecting: .pinMismatch,
                facts: [.says("that pin is of certificate 0", in: "pin-mismatch")]),
            pin(
                "\(kind)-root-presented", "A \(name) of the root matches no chain presented without it.",
                source: "decided: presented-chain",
                PinGroupRecipe(root, at: .any, in: .presented), expecting: .pinMismatch),
        ]
    }

    /// A hash of one kind stated as another matches nothing, and the message names the real kind.
    private static let confusedKinds: [TLSScenario] = PinKind.allCases.flatMap { stated in
        PinKind.allCases.filter { $0 != stated }.map { made in
            pin(
                "\(made)-stated-as-\(stated)",
                "A \(made.name) hash stated as \(stated.name) does not match, and is recognised.",
                source: "decided: pin-kinds",
                PinGroupRecipe(PinRecipe(stated, of: .leaf(.good), made: made), at: .any), expecting: .pinMismatch,
                facts: [
                    .says("the \(made.name) hash of certificate 0", in: "pin-mismatch"),
                    .says("you stated \(stated.name)", in: "pin-mismatch"),
                ])
        }
    }

    private static let wrong = PinGroupRecipe(PinRecipe(.cert, of: .nothing), at: .leaf)
    private static let right = PinGroupRecipe(PinRecipe(.spki, of: .leaf(.good)), at: .leaf)

    private static let groups: [TLSScenario] = [
        pin("no-pins", "Without pins trust alone decides.", source: "decided: trust-always", expecting: .pass),
        pin(
            "all-groups", "Groups of two kinds pass when both match.", source: "requirement 3", right,
            PinGroupRecipe(PinRecipe(.cert, of: .leaf(.good)), at: .leaf), expecting: .pass),
        pin(
            "first-group-wrong", "One group that does not match is enough to fail.", source: "requirement 3", wrong,
            right, expecting: .pinMismatch),
        pin("second-group-wrong", "In whatever order.", source: "requirement 3", right, wrong, expecting: .pinMismatch),
        pin(
            "leaf-and-ca", "A leaf group and a CA group both have to match.", source: "Apple: NSPinnedDomains", right,
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.otherIntermediate)), at: .ca), expecting: .pinMismatch),
        pin(
            "mixed-kinds", "Pins of different kinds in one group are alternatives.", source: "requirement 104",
            PinGroupRecipe(PinRecipe(.cert, of: .nothing), PinRecipe(.rawkey, of: .leaf(.good)), at: .leaf),
            expecting: .pass),
    ]

    private static let renewals: [TLSScenario] = [
        pin(
            "renewed-same-key-spki", "An SPKI pin outlives a renewal with the same key.", source: "requirement 6",
            right,
            serving: .renewedSameKey, expecting: .pass),
        pin(
            "renewed-same-key-rawkey", "So does a raw key pin.", source: "requirement 106",
            PinGroupRecipe(PinRecipe(.rawkey, of: .leaf(.good)), at: .leaf), serving: .renewedSameKey, expecting: .pass),
        pin(
            "renewed-same-key-cert", "A certificate pin does not.", source: "requirement 6",
            PinGroupRecipe(PinRecipe(.cert, of: .leaf(.good)), at: .leaf), serving: .renewedSameKey,
            expecting: .pinMismatch),
        pin(
            "renewed-same-key-both", "Nor do both together.", source: "requirements 3 and 6", right,
            PinGroupRecipe(PinRecipe(.cert, of: .leaf(.good)), at: .leaf), serving: .renewedSameKey,
            expecting: .pinMismatch),
        pin(
            "renewed-new-key", "A renewal with a new key breaks the SPKI pin.", source: "requirement 106", right,
            serving: .renewedNewKey, expecting: .pinMismatch),
        pin(
            "renewed-new-key-backup", "Unless the new key was pinned beforehand.", source: "requirement 104",
            PinGroupRecipe(
                PinRecipe(.spki, of: .leaf(.good)),
                PinRecipe(.spki, of: .key(LabKeyID(.p256, LabIdentityName.renewedNewKey.rawValue))), at: .leaf),
            serving: .renewedNewKey, expecting: .pass),
        pin(
            "renewed-new-key-unused-backup", "A backup of a third key does not help.", source: "requirement 104",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.good)), PinRecipe(.spki, of: .key(.backup)), at: .leaf),
            serving: .renewedNewKey, expecting: .pinMismatch),
        pin(
            "renewed-new-key-ca", "A pin of the issuer outlives it.", source: "requirement 65",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.intermediate)), at: .ca), serving: .renewedNewKey,
            expecting: .pass,
            facts: [.says("effective scope", in: "pin-matched")]),
        pin(
            "rsa-spki", "An RSA key is pinned alike, as SPKI.", source: "requirement 7",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.rsa2048)), at: .leaf), serving: .rsa2048, expecting: .pass),
        pin(
            "rsa-rawkey", "And as PKCS#1.", source: "decided: pin-kinds",
            PinGroupRecipe(PinRecipe(.rawkey, of: .leaf(.rsa4096)), at: .leaf), serving: .rsa4096, expecting: .pass),
        pin(
            "p384-rawkey", "A P-384 key is pinned as its point.", source: "decided: pin-kinds",
            PinGroupRecipe(PinRecipe(.rawkey, of: .leaf(.p384)), at: .leaf), serving: .p384, expecting: .pass),
        pin(
            "ed25519-spki", "An Ed25519 key is pinned too.", source: "decided: odd-keys",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.ed25519)), at: .leaf), serving: .ed25519, expecting: .pass),
    ]

    /// The chain of `four-deep` is leaf, deep 3, deep 2, deep 1, root.
    private static let limits: [TLSScenario] = [
        pin(
            "first-3-inside", "Of the first three certificates the third still matches.", source: "requirement 101",
            PinGroupRecipe(PinRecipe(.rawkey, of: .authority(.deep(2))), at: .first(3)), serving: .fourDeep,
            expecting: .pass),
        pin(
            "first-3-beyond", "The fourth does not.", source: "requirement 101",
            PinGroupRecipe(PinRecipe(.rawkey, of: .authority(.deep(1))), at: .first(3)), serving: .fourDeep,
            expecting: .pinMismatch),
        pin(
            "first-4", "It does within four.", source: "requirement 101",
            PinGroupRecipe(PinRecipe(.rawkey, of: .authority(.deep(1))), at: .first(4)), serving: .fourDeep,
            expecting: .pass),
        pin(
            "first-3-root", "The root counts.", source: "decided: first-n",
            PinGroupRecipe(PinRecipe(.rawkey, of: .authority(.root)), at: .first(3)), expecting: .pass),
        pin(
            "first-2-root", "Within two of them it is out of reach.", source: "decided: first-n",
            PinGroupRecipe(PinRecipe(.rawkey, of: .authority(.root)), at: .first(2)), expecting: .pinMismatch),
        pin(
            "first-1", "The first is the leaf.", source: "decided: first-n",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.good)), at: .first(1)), expecting: .pass),
    ]

    /// Cases in which the presented and the validated chain differ.
    private static let chainsOfPins: [TLSScenario] = [
        pin(
            "shuffled-validated", "Positions count in the validated order.",
            source: "decided: first-n, decided: presented-chain",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.deep(1))), at: .first(3)), serving: .shuffled,
            expecting: .pinMismatch),
        pin(
            "shuffled-presented", "Or in the presented one, where that is asked for.",
            source: "decided: presented-chain",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.deep(1))), at: .first(2), in: .presented),
            serving: .shuffled, expecting: .pass),
        pin(
            "superfluous-validated", "A certificate that is sent and not used does not count.", source: "RFC 7469 2.6",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.otherIntermediate)), at: .any), serving: .extraCertificates,
            expecting: .pinMismatch, facts: [.says("the validated chain does not use", in: "pin-mismatch")]),
        pin(
            "superfluous-presented",
            "Unless pins are looked for in what is presented, which anyone can meet: that is a warning.",
            source: "decided: presented-chain",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.otherIntermediate)), at: .any, in: .presented),
            serving: .extraCertificates, expecting: .passWithWarnings,
            facts: [.says("only sent along", in: "pin-not-validated")]),
        pin(
            "root-sent", "A root that is sent is found in the presented chain.", source: "decided: presented-chain",
            PinGroupRecipe(PinRecipe(.cert, of: .authority(.root)), at: .ca, in: .presented), serving: .rootIncluded,
            expecting: .pass),
        pin(
            "cross-sign-same-key", "A key that two authorities certify has one SPKI pin.",
            source: "decided: presented-chain",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.crossSigned)), at: .ca), serving: .crossSigned,
            expecting: .pass),
        pin(
            "cross-sign-other-certificate", "And two certificate pins.", source: "decided: presented-chain",
            PinGroupRecipe(PinRecipe(.cert, of: .authority(.crossSigned)), at: .ca), serving: .crossSigned,
            expecting: .pinMismatch),
    ]

    private static func untrusted(
        _ id: String, _ sentence: String, _ group: PinGroupRecipe, serving identity: LabIdentityName, code: String,
        facts: [TLSFact]
    ) -> TLSScenario {
        TLSScenario(
            "pins/" + id, sentence, source: "requirement 56, decided: trust-always", identity, .trustFailed, code: code
        ).with {
            $0.pins = [group]
            $0.facts = facts
        }
    }

    private static let besideTrust: [TLSScenario] = [
        untrusted(
            "wrong-and-expired", "Where trust fails too it decides, and the pin's finding is there beside it.", wrong,
            serving: .expired, code: "expired", facts: [.finding("pin-mismatch")]),
        untrusted(
            "right-and-expired", "A pin that matches makes no expired certificate valid.",
            PinGroupRecipe(PinRecipe(.spki, of: .leaf(.expired)), at: .leaf), serving: .expired, code: "expired",
            facts: [.finding("pin-matched")]),
        untrusted(
            "right-and-unknown", "Nor does a pin of an unknown CA make that one known: only the leaf counts then.",
            PinGroupRecipe(PinRecipe(.spki, of: .authority(.otherIntermediate)), at: .ca), serving: .unknownIssuer,
            code: "unknown-issuer", facts: [.finding("pin-mismatch")]),
        untrusted(
            "right-and-wrong-name", "Nor a pin of the leaf another name right.",
            PinGroupRecipe(PinRecipe(.cert, of: .leaf(.wrongName)), at: .leaf), serving: .wrongName,
            code: "hostname-mismatch", facts: [.finding("pin-matched")]),
    ]
}
