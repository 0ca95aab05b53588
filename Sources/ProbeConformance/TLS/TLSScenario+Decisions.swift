import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Decisions where the standards are silent, or where every stack deviates from them.
    static let decisions: [Difference] = [
        Difference(
            id: "required-policy", sentence: "A policy that an issuer requires has to be there.",
            source: "RFC 5280 6.1.5 (g)", identity: .requiredPolicy, cause: .constraintViolated,
            deviations: [
                "openssl": "it looks at policies only when asked to",
                "curl": "OpenSSL below it looks at policies only when asked to",
            ]),
        Difference(
            id: "mapped-policy", sentence: "A policy goes on under the name it is mapped to.",
            source: "RFC 5280 6.1.4 (b)", identity: .mappedPolicy,
            deviations: [
                "gnutls": "it knows no policy mappings, and refuses them where they are critical"
            ]),
        Difference(
            id: "leading-period", sentence: "A subtree with a leading period holds the names below it.",
            source: "decided: name-constraints", identity: .leadingPeriod, deviations: [:], name: "www.good.test"),
        Difference(
            id: "padded-usage", sentence: "Zero bits at the end of a key usage are read, with a warning.",
            source: "X.690 11.2.2", identity: .paddedUsage, deviations: [:], accepted: .passWithWarnings),
        Difference(
            id: "unique-identifier", sentence: "A unique identifier does no harm.", source: "RFC 5280 4.1.2.8",
            identity: .uniqueIdentifier, deviations: [:]),
        Difference(
            id: "server-and-any-purpose", sentence: "Any purpose beside that of a server is refused.",
            source: "CA/B BR 7.1.2.7.10", identity: .serverAndAnyPurpose, cause: .wrongPurpose,
            deviations: accepting("it asks whether the purpose is named, and not what else is")),
        Difference(
            id: "signing-usage", sentence: "Only an authority's key signs certificates.", source: "RFC 5280 4.2.1.3",
            identity: .signingUsage, cause: .constraintViolated,
            deviations: accepting("it does not hold the key usage against the role")),
        Difference(
            id: "constrained-leaf", sentence: "Only an authority has name constraints.", source: "RFC 5280 4.2.1.10",
            identity: .constrainedLeaf, cause: .constraintViolated,
            deviations: accepting("it does not hold name constraints against the role")),
        Difference(
            id: "nameless-issuer", sentence: "An authority has a name.", source: "RFC 5280 4.1.2.6",
            identity: .namelessIssuer, cause: .malformed,
            deviations: [
                "openssl": "it takes an empty name for a name", "gnutls": "it takes an empty name for a name",
                "nio": "it takes an empty name for a name",
            ]),
        Difference(
            id: "empty-constraint", sentence: "Name constraints constrain something.", source: "RFC 5280 4.2.1.10",
            identity: .emptyConstraint, cause: .malformed,
            deviations: accepting("it takes empty constraints for none")),
        Difference(
            id: "malformed-name", sentence: "A malformed name is not outside of an excluded subtree.",
            source: "decided: name-constraints", identity: .malformedName, cause: .constraintViolated,
            deviations: accepting("it compares the end of a name, whatever is before it")),
        Difference(
            id: "negative-serial", sentence: "A serial number is positive.", source: "RFC 5280 4.1.2.2",
            identity: .negativeSerial, cause: .malformed, deviations: accepting("it reads negative serial numbers")),
        Difference(
            id: "version-one-root", sentence: "An anchor is a name and a key, whatever its version.",
            source: "RFC 5280 6.1.1 (d)", identity: .versionOneRoot, deviations: [:],
            anchors: [.authority(.versionOneRoot)]),
        Difference(
            id: "silent-root", sentence: "An anchor need not say that it is an authority.",
            source: "RFC 5280 6.1.1 (d)", identity: .silentRoot, deviations: [:], anchors: [.authority(.silentRoot)]),
        Difference(
            id: "client-root", sentence: "An anchor's purposes restrict what is below it.",
            source: "decided: anchors", identity: .clientRoot, cause: .wrongPurpose,
            deviations: [
                "gnutls": "it asks no anchor for its purposes", "nio": "it asks no anchor for its purposes",
            ],
            anchors: [.authority(.clientRoot)]),
    ]

    /// Returns deviations in which every stack accepts the case, for one reason.
    private static func accepting(_ reason: String) -> [String: String] {
        ["openssl": reason, "curl": reason, "gnutls": reason, "nio": reason]
    }
}
