import ProbeKit
import ProbeLab

extension TLSScenario {
    /// The main list: the same outcome on every transport.
    public static let all = everything.filter { $0.deviations.isEmpty }

    private static let everything =
        pins + chainPins + paths + certificates + trust + questions + names + emulations + handshakes + extras + offers
        + clientCertificates
        + clientIdentities + startingTLS + proxies
        + transportSecurity + peers + flights + tampering
        + transitions + serverDates + rulings + revocation + agreements

    /// The known differences of the stacks' judgement, transport by transport.
    ///
    /// Each expects the result by RFC 5280, RFC 9525 and our own decisions, which a transport without a deviation has
    /// to give. A deviation that no longer exists fails: then it has to be removed.
    public static let divergences =
        scenarios(of: (differences + decisions).filter { !$0.isAgreed }, in: "divergences/") + [
            TLSScenario(
                "divergences/rsa-key-exchange", "A key for signatures alone does no RSA key exchange.",
                source: "RFC 5246 7.4.2",
                .tls(LabTLSRecipe(.rsa2048, versions: .tls12 ... .tls12, cipherSuites: [0x009c])), .handshakeFailed,
                code: "protocol-error"
            ).with {
                $0.deviations = [
                    "openssl": Deviation(.passWithWarnings, "it does not look at the key usage in a handshake"),
                    "curl": Deviation(
                        .passWithWarnings, "OpenSSL below it does not look at the key usage in a handshake"),
                ]
            }
        ] + everything.filter { !$0.deviations.isEmpty }

    /// Decisions that no stack deviates from.
    private static let agreements = scenarios(of: decisions.filter(\.isAgreed), in: "decisions/")

    private static func scenarios(of differences: [Difference], in folder: String) -> [TLSScenario] {
        differences.map { difference in
            TLSScenario(
                folder + difference.id, difference.sentence, source: difference.source, difference.identity,
                difference.expected, code: difference.cause?.rawValue
            ).with {
                $0.name = difference.name
                $0.anchors = difference.anchors
                $0.needs = difference.needs
                $0.deviations = difference.deviations.mapValues { Deviation(.stacksDisagree, $0) }
                    .merging(difference.deviationsInAnyMode) { $1 }
            }
        }
    }

    /// The same where only the reference verifier is asked: then no stack differs, unless in how it reads a key.
    private static let rulings =
        (differences + decisions).map { difference in
            TLSScenario(
                "rulings/" + difference.id, "By the reference alone: " + difference.sentence, source: difference.source,
                difference.identity, difference.expected, code: difference.cause?.rawValue
            ).with {
                $0.name = difference.name
                $0.anchors = difference.anchors
                $0.needs = difference.needs
                $0.trust = .reference
                $0.deviations = difference.deviationsInAnyMode
            }
        }

    struct Difference {
        let id: String
        let sentence: String
        let source: String
        let identity: LabIdentityName
        /// The reason for a refusal; nil if it has to be accepted.
        var cause: TrustCause?
        /// The deviating stacks' behaviour, by the transport's name.
        let deviations: [String: String]
        /// The behaviour of stacks that decode a key differently: then keys disagree, whoever decides on trust.
        var readings: [String: String] = [:]
        /// The errors of stacks that end the handshake over it: nothing is judged then.
        var failures: [String: String] = [:]
        /// The name that is asked for.
        var name = "good.test"
        /// The trust anchors.
        var anchors: [Anchor] = [.authority(.root)]
        /// The outcome if it has to be accepted.
        var accepted = Outcome.pass
        /// The capabilities that a transport needs for the case to apply.
        var needs: Set<TransportCapability> = []
        /// True if the verdict warns of a certificate's expiry.
        var endsSoon = false

        /// True if no stack is known to deviate in any way.
        var isAgreed: Bool { deviations.isEmpty && readings.isEmpty && failures.isEmpty }

        var expected: Outcome { cause != nil ? .trustFailed : endsSoon ? .passWithWarnings : accepted }

        var deviationsInAnyMode: [String: Deviation] {
            readings.mapValues { Deviation(.readingsDisagree, $0) }
                .merging(failures.mapValues { Deviation(.handshakeFailed, code: "protocol-error", $0) }) { $1 }
        }
    }

    private static let keyUsageEndsTheHandshake = ["gnutls", "nio"].reduce(into: [:]) {
        $0[$1] = "it ends the handshake over a key usage that allows no signature, before anything is proved"
    }

    private static let differences: [Difference] = [
        Difference(
            id: "ends-now", sentence: "The last second is valid.", source: "RFC 5280 4.1.2.5", identity: .endsNow,
            deviations: [
                "openssl": "it takes notAfter for the first second that is not valid",
                "curl": "OpenSSL below it takes notAfter for the first second that is not valid",
                "nio": "it takes notAfter for the first second that is not valid",
            ], endsSoon: true),
        Difference(
            id: "cross-signed-first", sentence: "Every path is looked for.", source: "RFC 4158",
            identity: .crossSignedFirst,
            deviations: [
                "openssl":
                    "it follows the first certificate of the issuer's name that was sent, and does not turn back",
                "curl": "OpenSSL below it follows the first certificate that was sent, and does not turn back",
                "gnutls": "it follows the first certificate of the issuer's name that was sent, and does not turn back",
                "nio": "it follows the first certificate of the issuer's name that was sent, and does not turn back",
            ]),
        Difference(
            id: "self-issued", sentence: "Self-issued authorities do not count in a path length.",
            source: "RFC 5280 6.1.4 (l)", identity: .selfIssued, deviations: ["gnutls": "it counts them"]),
        Difference(
            id: "empty-purpose", sentence: "An extended key usage that names no purpose is refused.",
            source: "RFC 5280 4.2.1.12", identity: .emptyPurpose, cause: .wrongPurpose,
            deviations: ["gnutls": "it takes an empty list for no list"]),
        Difference(
            id: "any-purpose", sentence: "One that names any purpose is refused too.", source: "CA/B BR 7.1.2.7.10",
            identity: .anyPurpose, cause: .wrongPurpose, deviations: ["gnutls": "it accepts anyExtendedKeyUsage"]),
        Difference(
            id: "common-name-only", sentence: "A common name is not a server's name.", source: "RFC 9525 2",
            identity: .commonNameOnly, cause: .hostnameMismatch,
            deviations: [
                "gnutls": "it looks at the common name where there is no alternative name",
                "curl": "it matches names itself, and looks at the common name where there is no alternative name",
                "nio": "it looks at the common name where there is no alternative name",
            ]),
        Difference(
            id: "no-server-usage", sentence: "A key usage that allows nothing a server does is refused.",
            source: "RFC 5280 4.2.1.3", identity: .noServerUsage, cause: .wrongPurpose,
            deviations: [:], failures: keyUsageEndsTheHandshake),
        Difference(
            id: "encipherment-usage", sentence: "One that allows no signature is refused.", source: "RFC 8446 4.4.2.2",
            identity: .enciphermentUsage, cause: .wrongPurpose,
            deviations: [
                "openssl": "key encipherment is enough for it, as in RSA key exchange",
                "curl": "key encipherment is enough for OpenSSL below it",
            ], failures: keyUsageEndsTheHandshake),
        Difference(
            id: "authority-as-leaf", sentence: "An authority's certificate is not a server's.",
            source: "CA/B BR 7.1.2.7.8", identity: .authorityAsLeaf, cause: .wrongPurpose,
            deviations: [:], failures: keyUsageEndsTheHandshake),
        Difference(
            id: "signing-authority-as-leaf", sentence: "Not even where it may sign handshakes.",
            source: "CA/B BR 7.1.2.7.8", identity: .signingAuthorityAsLeaf, cause: .wrongPurpose,
            deviations: [
                "openssl": "a key usage for servers is enough for it",
                "curl": "a key usage for servers is enough for OpenSSL below it",
                "nio": "a key usage for servers is enough for it",
                "gnutls": "it does not judge whether the leaf is an authority",
            ]),
        Difference(
            id: "compressed-point", sentence: "A key that not every stack can read is refused.",
            source: "decided: odd-keys, decided: fail-closed",
            identity: .compressedPoint, cause: .weakKey,
            deviations: [
                "openssl": "it reads compressed points",
                "curl": "OpenSSL below it reads compressed points",
            ],
            readings: [
                "gnutls": "it reads no compressed points",
                "nio": "it reads compressed points, and keeps them uncompressed",
            ]),
        Difference(
            id: "permitted-address", sentence: "An address in the permitted range is accepted.",
            source: "RFC 5280 4.2.1.10", identity: .permittedAddress,
            deviations: ["nio": "it reads no constraints on addresses, and refuses every chain that has one"]),
        Difference(
            id: "excluded-wildcard", sentence: "A wildcard that stands for an excluded name is refused.",
            source: "decided: name-constraints", identity: .excludedWildcard, cause: .constraintViolated,
            deviations: [
                "openssl": "it compares the wildcard as if it were a name, and no name it stands for",
                "curl": "OpenSSL below it compares the wildcard as if it were a name",
                "gnutls": "it compares the wildcard as if it were a name, and no name it stands for",
            ], name: "one.wild.test"),
        Difference(
            id: "must-staple", sentence: "A demand for a staple is kept.", source: "RFC 7633 4.2.1",
            identity: .mustStaple, cause: .constraintViolated,
            deviations: [
                "openssl": "it does not look at TLS features",
                "curl": "OpenSSL below it does not look at TLS features",
                "nio": "it does not look at TLS features",
            ], needs: [.ocspStaple]),
        Difference(
            id: "must-staple-issuer", sentence: "An issuer's demand is its certificates'.", source: "RFC 7633 4.2.1",
            identity: .mustStapleIssuer, cause: .constraintViolated,
            deviations: [
                "openssl": "it does not look at TLS features",
                "curl": "OpenSSL below it does not look at TLS features",
                "nio": "it does not look at TLS features",
            ], needs: [.ocspStaple]),
    ]
}
