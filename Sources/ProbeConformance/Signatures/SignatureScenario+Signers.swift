import ProbeKit
import ProbeLab

extension SignatureScenario {
    /// The rules for trusted signers beyond trust.
    static let signers: [SignatureScenario] = [
        signer("all-right", "All that is demanded is there.", nil) {
            $0.commonName = ".lab.test"
            $0.authorityKey = .right
            $0.subjectKey = .headed
            $0.serialIsRight = true
        }.also(94),
        signer("name-exact", "A common name may be given whole.", nil) { $0.commonName = "signer.lab.test" },
        signer("name-other", "Another common name is refused.", .signerConstraint) { $0.commonName = "other.lab.test" },
        signer("name-case", "A common name given whole is compared byte by byte.", .signerConstraint) {
            $0.commonName = "Signer.lab.test"
        },
        signer("name-below", "A common name may be below a domain.", nil) { $0.commonName = ".lab.test" },
        signer("name-far-below", "As far as one likes.", nil) { $0.commonName = ".test" },
        signer("name-is-domain", "The domain itself is not below it.", .signerConstraint) {
            $0.commonName = ".signer.lab.test"
        },
        signer("name-partial", "Without a dot in front it is not a domain.", .signerConstraint) {
            $0.commonName = "lab.test"
        },
        named("evillab.test", "name-evil", "A label that ends like the domain is another one.", .signerConstraint),
        named("evil.test\u{0}.lab.test", "name-nul", "A name with a NUL in it is not a host name.", .signerConstraint),
        named("..lab.test", "name-empty-label", "A name with an empty label is not a host name.", .signerConstraint),
        named(".lab.test", "name-only-domain", "A dot in front of the domain is not a label.", .signerConstraint),
        named("SIGNER.LAB.TEST", "name-below-case", "Below a domain case does not matter.", nil),
        named("*.lab.test", "name-wildcard", "The first label may be a wildcard's.", nil),
        signer("issuer-key", "The authority key identifier is the signing certificate's.", nil) {
            $0.authorityKey = .right
        },
        signer("issuer-key-headed", "It may have its DER header.", nil) { $0.authorityKey = .headed }.also(94),
        signer("issuer-key-other", "Another one is refused.", .signerConstraint) { $0.authorityKey = .wrong },
        signer("root-key", "The subject key identifier is that of the chain's end.", nil) { $0.subjectKey = .right }
            .also(94),
        signer("root-key-headed", "It may have its DER header.", nil) { $0.subjectKey = .headed }.also(94),
        signer("root-key-other", "Another one is refused.", .signerConstraint) { $0.subjectKey = .wrong },
        signer("root-key-truncated", "A part of it is another one.", .signerConstraint) { $0.subjectKey = .truncated },
        signer("root-serial", "The serial number is that of the chain's end.", nil) { $0.serialIsRight = true }.also(
            94),
        signer("root-serial-other", "Another one is refused.", .signerConstraint) { $0.serialIsRight = false },
        SignatureScenario(
            "signers/root-key-missing", "A root without a key identifier does not meet a demand for one.",
            source: "decided: upstream-traps (missing on either side)", [93], .signerConstraint
        ) {
            $0.signers[0].certificate = .signer("version-one", issuer: nil) { $0.isVersionOne = true }
        }.trusting {
            $0.anchors = [.signer]
            $0.subjectKey = .right
        },
        next("root-key", "key identifier") { $0.subjectKey = .wrong },
        next("root-serial", "serial number") { $0.serialIsRight = false },
        next("name", "common name") { $0.commonName = "other.test" },
        next("issuer-key", "authority key identifier") { $0.authorityKey = .wrong },
        next("anchor", "authority") { $0.anchors = [.authority(.otherRoot)] },
        next("unreadable", "certificate") { $0.anchors = [.junk] },
        SignatureScenario(
            "signers/none-fits", "Where no trusted signer fits, their demands are not mixed.", source: "ours", [93],
            .signerConstraint
        ).with {
            $0.trusted = [
                Trusted { $0.commonName = "other.test" },
                Trusted {
                    $0.anchors = [.authority(.otherRoot)]
                    $0.commonName = "signer.lab.test"
                },
            ]
        },
        SignatureScenario(
            "signers/anchor-of-the-right-key",
            "A chain to a root that does not meet the demands does not count for one that does.",
            source: "requirement 93", [93], .untrustedSigner
        ).trusting {
            $0.anchors = [.authority(.otherRoot), .authority(.root)]
            $0.subjectKey = .right
        },
    ]

    private static func signer(
        _ id: String, _ sentence: String, _ expected: SignatureProblem.Cause?, change: (inout Trusted) -> Void
    ) -> SignatureScenario {
        SignatureScenario("signers/\(id)", sentence, source: "requirement 93", [93], expected).trusting(change)
    }

    private static func named(
        _ commonName: String, _ id: String, _ sentence: String, _ expected: SignatureProblem.Cause?
    ) -> SignatureScenario {
        SignatureScenario(
            "signers/\(id)", sentence, source: "requirement 93, decided: upstream-traps (it compares ends)", [93],
            expected
        ) { $0.signers[0].certificate.commonName = commonName }.trusting { $0.commonName = ".lab.test" }
    }

    /// Returns a promise that one who does not fit does not keep the next one from being tried.
    private static func next(_ id: String, _ what: String, change: (inout Trusted) -> Void) -> SignatureScenario {
        SignatureScenario(
            "signers/next-after-\(id)", "A trusted signer with another \(what) does not stop the next one.",
            source: "decided: upstream-traps (it gives up)", [92, 93], nil
        ).with {
            $0.trusted = [
                Trusted {
                    $0.name = "first"
                    change(&$0)
                }, Trusted(),
            ]
        }
    }

    private func also(_ requirement: Int) -> SignatureScenario {
        SignatureScenario(
            String(id.dropFirst("signature/".count)), sentence, source: source, requirements + [requirement], message,
            expected
        ).with { $0.trusted = trusted }
    }
}
