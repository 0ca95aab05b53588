import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Certificates compared attribute by attribute (requirements 88 and 89).
    static let certificates: [TLSScenario] = [
        matched(
            "leaf", "The expected certificate is found, and each attribute is said to be equal.", .init(.leaf(.good))
        )
        .with {
            $0.facts.append(
                .says(
                    "hash equal, serial number equal, subject key identifier equal, public key equal",
                    in: "certificate-matched"))
        },
        matched(
            "intermediate", "Any certificate of the chain may be it.", .init(.authority(.intermediate))),
        matched("root", "The root too, which the server does not send.", .init(.authority(.root))),
        matched("at-leaf", "Or the leaf alone.", .init(.leaf(.good), at: .leaf)),
        matched("at-ca", "Or the others alone.", .init(.authority(.intermediate), at: .ca)),
        matched(
            "alternatives", "One of several is enough.", .init(.leaf(.second), .leaf(.good))),
        differing(
            "ca-at-leaf", "At the leaf an authority's certificate is not found.",
            .init(.authority(.intermediate), at: .leaf), []),
        differing(
            "leaf-at-ca", "Nor the leaf's among the authorities.", .init(.leaf(.good), at: .ca), []),
        differing(
            "root-presented", "Nor the root in what the server sends.", .init(.authority(.root), in: .presented), []),
        differing(
            "renewed-same-key", "A renewal with the same key is another certificate, and what is equal is said.",
            .init(.leaf(.good)),
            [
                "certificate 0", "hash differs", "serial number differs", "subject key identifier equal",
                "public key equal",
            ], serving: .renewedSameKey),
        differing(
            "renewed-new-key", "With a new key nothing is equal.", .init(.leaf(.good), at: .leaf),
            ["hash differs", "serial number differs", "subject key identifier differs", "public key differs"],
            serving: .renewedNewKey),
        differing(
            "cross-sign", "An authority certified twice has two certificates.",
            .init(.authority(.crossSigned), at: .ca), ["hash differs", "public key equal"], serving: .crossSigned),
        differing(
            "superfluous", "What is sent and not used does not count.", .init(.authority(.otherIntermediate)), [],
            serving: .extraCertificates),
        TLSScenario(
            "certificates/all-expected", "Of several expectations each has to be met.", source: "requirement 88", .good,
            .pinMismatch, code: "certificate-differs"
        ).with {
            $0.certificates = [.init(.leaf(.good)), .init(.leaf(.second))]
            $0.facts = [.finding("certificate-matched")]
        },
        TLSScenario(
            "certificates/untrusted", "A certificate that is the expected one makes no chain trusted.",
            source: "requirements 81 and 85, decided: upstream-traps", .unknownIssuer, .trustFailed,
            code: TrustCause.unknownIssuer.rawValue
        ).with {
            $0.certificates = [.init(.leaf(.unknownIssuer))]
            $0.facts = [.finding("certificate-matched")]
        },
        TLSScenario(
            "certificates/untrusted-authority", "Nor does it count before the chain is trusted, but at the leaf.",
            source: "requirements 81 and 85, decided: presented-chain, decided: upstream-traps", .unknownIssuer,
            .trustFailed,
            code: TrustCause.unknownIssuer.rawValue
        ).with {
            $0.certificates = [.init(.authority(.otherIntermediate))]
            $0.facts = [.finding("certificate-differs")]
        },
    ]

    private static func matched(
        _ id: String, _ sentence: String, _ certificate: CertificateRecipe
    ) -> TLSScenario {
        TLSScenario(
            "certificates/" + id, sentence, source: "requirements 88 and 89", .good, .pass
        ).with {
            $0.certificates = [certificate]
            $0.facts = [.finding("certificate-matched")]
        }
    }

    private static func differing(
        _ id: String, _ sentence: String, _ certificate: CertificateRecipe, _ words: [String],
        serving identity: LabIdentityName = .good
    ) -> TLSScenario {
        TLSScenario(
            "certificates/" + id, sentence, source: "requirements 88 and 89", identity, .pinMismatch,
            code: "certificate-differs"
        ).with {
            $0.certificates = [certificate]
            $0.facts = words.map { .says($0, in: "certificate-differs") }
        }
    }
}
