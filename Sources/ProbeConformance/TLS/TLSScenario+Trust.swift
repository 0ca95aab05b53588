import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTrust

extension TLSScenario {
    /// Trust: accepted chains, and every cause of refusal the lab can produce.
    static let trust: [TLSScenario] = time + issuers + purposes + constraints + strength + modes

    /// Returns a scenario that all stacks refuse, for one cause.
    static func refused(
        _ id: String, _ sentence: String, source: String, _ identity: LabIdentityName, _ cause: TrustCause
    ) -> TLSScenario {
        TLSScenario("trust/" + id, sentence, source: source, identity, .trustFailed, code: cause.rawValue)
    }

    /// Returns a scenario that all stacks accept.
    static func accepted(
        _ id: String, _ sentence: String, source: String, _ identity: LabIdentityName, path: Int = 3
    ) -> TLSScenario {
        TLSScenario("trust/" + id, sentence, source: source, identity, .pass).with { $0.facts = [.pathLength(path)] }
    }

    /// Returns an accepted scenario so close to the leaf's expiry that the verdict warns of it.
    private static func endingSoon(
        _ id: String, _ sentence: String, source: String, _ identity: LabIdentityName
    ) -> TLSScenario {
        TLSScenario("trust/" + id, sentence, source: source, identity, .passWithWarnings).with {
            $0.facts = [.finding(ExpiresSoon.code), .pathLength(3)]
        }
    }

    private static let day = 86_400

    private static let time: [TLSScenario] = [
        accepted("good", "Nothing is wrong with it.", source: "RFC 5280 6.1", .good)
            .with { $0.facts.append(.ownPath) },
        refused("expired", "An expired leaf is refused.", source: "RFC 5280 6.1.3 (a)(2)", .expired, .expired),
        refused(
            "not-yet-valid", "So is one that is not valid yet.", source: "RFC 5280 6.1.3 (a)(2)", .notYetValid,
            .notYetValid),
        refused(
            "expired-intermediate", "An expired intermediate is refused too.", source: "RFC 5280 6.1.3 (a)(2)",
            .expiredIntermediate, .expired),
        accepted("begins-now", "The first second is valid.", source: "RFC 5280 4.1.2.5", .beginsNow),
        refused(
            "before-first-second", "The one before it is not.", source: "RFC 5280 4.1.2.5", .beginsNow, .notYetValid
        ).with { $0.instant = -1 },
        endingSoon("before-last-second", "The second before the last is valid.", source: "RFC 5280 4.1.2.5", .endsNow)
            .with { $0.instant = -1 },
        refused("after-last-second", "The one after it is not.", source: "RFC 5280 4.1.2.5", .endsNow, .expired)
            .with { $0.instant = 1 },
        refused("years-later", "The clock that is given decides.", source: "requirement 30", .good, .expired)
            .with { $0.instant = 20 * 365 * day },
        refused("years-earlier", "In the past too.", source: "requirement 30", .good, .notYetValid)
            .with { $0.instant = -20 * 365 * day },
        refused(
            "unix-epoch", "And at the second that a library may take for the present.",
            source: "certt.h of NSS, cert_pi_date; RFC 5280 6.1.3 (a)(2)", .good, .notYetValid
        )
        .with { $0.instant = -Int(epoch.timeIntervalSince1970) },
        endingSoon(
            "expired-seen-earlier", "A certificate that has expired was valid once.", source: "requirement 30", .expired
        )
        .with { $0.instant = -10 * day },
        refused("expired-and-misnamed", "All causes are said.", source: "decided: every-cause", .expired, .expired).with
        {
            $0.name = "other.test"
            $0.facts = [.finding(TrustCause.hostnameMismatch.rawValue)]
        },
    ]

    private static let issuers: [TLSScenario] = [
        refused(
            "unknown-issuer", "A root nobody trusts is refused.", source: "RFC 5280 6.1", .unknownIssuer, .unknownIssuer
        ),
        refused(
            "unknown-root-presented", "Also when the server sends it.", source: "RFC 5280 6.1", .unknownRootPresented,
            .unknownIssuer),
        accepted("other-root-trusted", "Unless it is among the anchors.", source: "RFC 5280 6.1.1 (d)", .unknownIssuer)
            .with { $0.anchors = [.authority(.otherRoot)] },
        refused(
            "no-anchors", "Without anchors nothing is trusted.", source: "decided: trust-always", .good, .unknownIssuer
        )
        .with { $0.anchors = [] },
        refused(
            "self-signed", "A leaf that signed itself is refused.", source: "RFC 5280 6.1", .selfSigned, .selfSigned),
        refused(
            "malformed-intermediate", "An extension that is relied on has to be readable.", source: "RFC 5280 4.2",
            .malformedIntermediate, .malformed),
        refused(
            "giant-intermediate", "A key that takes long to compute with is not used.",
            source: "decided: work-budget",
            .giantIntermediate, .tooComplex),
        refused(
            "missing-intermediate", "A leaf without its intermediate is refused.", source: "RFC 8446 4.4.2",
            .missingIntermediate, .unknownIssuer),
        accepted(
            "missing-intermediate-known", "Unless the intermediate is an anchor.", source: "decided: anchors",
            .missingIntermediate, path: 2
        ).with {
            $0.anchors = [.authority(.intermediate)]
            $0.deviations = wantsRoots
        },
        accepted(
            "intermediate-as-anchor", "An anchor need not be self-signed.", source: "decided: anchors", .good, path: 2
        ).with {
            $0.anchors = [.authority(.intermediate)]
            $0.deviations = wantsRoots
        },
        refused(
            "expired-anchor", "An anchor's own validity counts.", source: "decided: anchors", .expiredIntermediate,
            .expired
        )
        .with { $0.anchors = [.authority(.expiredIntermediate)] },
        anchoredLeaf("leaf-as-anchor", "A leaf that is an anchor is trusted, with a warning.", .good),
        anchoredLeaf("self-signed-as-anchor", "So is one that signed itself.", .selfSigned),
        refused(
            "misnamed-leaf-as-anchor", "Its name is judged still.", source: "decided: anchors", .wrongName,
            .hostnameMismatch
        )
        .with { $0.anchors = [.leaf(.wrongName)] },
        refused("expired-leaf-as-anchor", "And its validity.", source: "decided: anchors", .expired, .expired)
            .with { $0.anchors = [.leaf(.expired)] },
        accepted("four-deep", "Three intermediates are not too many.", source: "RFC 5280 6.1", .fourDeep, path: 5),
        accepted(
            "extra-certificates", "Certificates that don't belong are ignored.", source: "RFC 8446 4.4.2",
            .extraCertificates),
        accepted("shuffled", "Intermediates may come in any order.", source: "RFC 8446 4.4.2", .shuffled, path: 5),
        accepted("root-included", "A root that is sent does no harm.", source: "RFC 8446 4.4.2", .rootIncluded),
        accepted(
            "cross-signed", "Of two certificates for one issuer the trusted one counts.", source: "RFC 4158",
            .crossSigned),
    ]

    /// BoringSSL accepts a certificate as an anchor only if it is a self-signed CA.
    private static let wantsRoots = [
        "nio": Deviation(.stacksDisagree, "its paths end in an authority that signed itself, whatever the anchors")
    ]

    private static func anchoredLeaf(_ id: String, _ sentence: String, _ identity: LabIdentityName) -> TLSScenario {
        TLSScenario("trust/" + id, sentence, source: "decided: anchors", identity, .passWithWarnings).with {
            $0.anchors = [.leaf(identity)]
            $0.facts = [.finding("anchor-as-leaf"), .pathLength(1)]
            $0.deviations = wantsRoots
        }
    }

    private static let purposes: [TLSScenario] = [
        refused(
            "client-purpose", "A certificate for clients is refused.", source: "RFC 5280 4.2.1.12", .clientPurpose,
            .wrongPurpose),
        refused(
            "client-intermediate", "So is one whose issuer is for clients.", source: "CA/B BR 7.1.2.10.6",
            .clientIntermediate, .wrongPurpose),
        accepted("no-purpose", "Without extended key usage any purpose goes.", source: "RFC 5280 4.2.1.12", .noPurpose),
    ]

    private static let constraints: [TLSScenario] = [
        refused(
            "issuer-not-authority", "Only an authority may issue.", source: "RFC 5280 6.1.4 (k)", .issuerNotAuthority,
            .constraintViolated),
        refused(
            "path-length", "A path length is kept.", source: "RFC 5280 6.1.4 (l)", .pathLengthExceeded,
            .constraintViolated),
        refused(
            "excluded-name", "A name in an excluded subtree is refused.", source: "RFC 5280 4.2.1.10", .excludedName,
            .constraintViolated),
        refused(
            "not-permitted-name", "So is one outside the permitted subtree.", source: "RFC 5280 4.2.1.10",
            .notPermittedName, .constraintViolated),
        accepted("permitted-name", "One inside it is accepted.", source: "RFC 5280 4.2.1.10", .permittedName),
        accepted(
            "critical-policies", "Critical policies of an authority are accepted, and not evaluated.",
            source: "RFC 5280 6.1.1 (c)", .criticalPolicies),
        refused(
            "unknown-critical-extension", "A critical extension nobody knows is refused.", source: "RFC 5280 4.2",
            .unknownCriticalExtension, .constraintViolated),
    ]

    private static let strength: [TLSScenario] = [
        refused(
            "bad-signature", "A flipped bit in the signature is refused.", source: "RFC 5280 6.1.3 (a)(1)",
            .badSignature, .badSignature),
        accepted(
            "pss-signature", "A signature with RSASSA-PSS is as good as another.",
            source: "RFC 4055 3, CA/B BR 7.1.3.2.1", .pssSignature),
        refused("sha-1", "So is a signature with SHA-1.", source: "CA/B BR 7.1.3.2", .sha1Signature, .weakSignature)
            .with { $0.deviations = ["nio": Deviation(.stacksDisagree, "it takes certificates signed with SHA-1")] },
        refused("rsa-1024", "So is an RSA key of 1024 bits.", source: "CA/B BR 6.1.5", .rsa1024, .weakKey)
            .with { $0.deviations = asksForNoStrength },
        refused("rsa-1024-issuer", "And an issuer's.", source: "CA/B BR 6.1.5", .weakIntermediate, .weakKey)
            .with { $0.deviations = asksForNoStrength },
    ]

    private static let asksForNoStrength = [
        "nio": Deviation(.stacksDisagree, "it takes RSA keys of any length it can read, 1024 bits among them")
    ]

    private static let modes: [TLSScenario] = [
        TLSScenario(
            "trust/native-good", "The stack alone accepts what is good, and the report says it was alone.",
            source: "decided: read-twice", .good, .pass
        ).with {
            $0.trust = .native
            $0.facts = [.finding("trust-mode")]
        },
        native("expired", .expired, .expired),
        native("wrong-name", .wrongName, .hostnameMismatch),
        native("unknown-issuer", .unknownIssuer, .unknownIssuer),
        native("self-signed", .selfSigned, .selfSigned),
        TLSScenario(
            "trust/reference-good", "The reference alone accepts what is good, and the report says it was alone.",
            source: "decided: read-twice", .good, .pass
        ).with {
            $0.trust = .reference
            $0.facts = [.finding("trust-mode")]
        },
        refused(
            "reference-expired", "The reference alone refuses too.", source: "decided: read-twice", .expired, .expired
        )
        .with { $0.trust = .reference },
    ]

    private static func native(_ id: String, _ identity: LabIdentityName, _ cause: TrustCause) -> TLSScenario {
        refused(
            "native-" + id, "Each stack refuses this by itself, for the same cause.", source: "decided: read-twice",
            identity, cause
        )
        .with { $0.trust = .native }
    }
}
