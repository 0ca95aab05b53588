import ProbeKit

extension KnownDifference {
    /// The differences about the extensions that the reference judges, and the name that is asked for.
    static let ofExtensions: [KnownDifference] = [
        KnownDifference(
            ["*/features-staple*", "*/features-*"], of: ["gnutls"], answer: "refused",
            scenario: "tls/divergences/must-staple-issuer",
            seen: [.by(["gnutls"])],
            "It keeps the demand for a staple of an issuer or an anchor, and refuses features that it can't read."),
        KnownDifference(
            ["*/features-*"], answer: "refused",
            seen: [.by(["curl", "nio", "openssl"])],
            "It knows no critical TLS features (RFC 7633)."),
        KnownDifference(
            ["*/features-*"], answer: "accepted", scenario: "tls/divergences/must-staple",
            seen: [
                .by(stacks, for: [.malformed], with: ["*/body-*"]),
                .by(["curl", "openssl"], for: [.unknownIssuer], with: ["issuer/body-*"]),
            ],
            "It does not look at TLS features (RFC 7633)."),
        KnownDifference(
            [
                "*/purpose-server-and-any", "*/purpose-any", "*/purpose-empty", "*/purpose-microsoft",
                "*/purpose-netscape", "*/purpose-*",
            ], answer: "accepted", scenario: "tls/divergences/empty-purpose",
            seen: [.by(stacks, for: [.malformed, .wrongPurpose])],
            "It takes anyExtendedKeyUsage, an empty list, or the old server-gated purposes for serverAuth, or looks at the leaf alone."
        ),
        KnownDifference(
            ["*/purpose-*"], answer: "refused",
            seen: [],
            "It reads fewer forms of an extended key usage."),
        KnownDifference(
            [
                "*/ca-true", "*/path-length-0", "*/path-length-1", "*/path-length-huge", "*/path-length-padded",
                "*/ca-true-as-01",
            ], answer: "accepted", scenario: "tls/divergences/signing-authority-as-leaf",
            seen: [.by(stacks, for: [.malformed, .wrongPurpose])],
            "It takes an authority as a server's leaf, or reads a path length that the reference does not."),
        KnownDifference(
            ["*/usage-*"], answer: "accepted", scenario: "tls/divergences/encipherment-usage",
            seen: [
                .by(stacks, for: [.malformed]),
                .by(stacks, for: [.constraintViolated, .wrongPurpose], with: ["leaf/usage-*"]),
            ],
            "It does not ask a leaf's key usage for a signature, or reads bits that DER forbids."),
        KnownDifference(
            ["*/usage-*"], answer: "refused",
            seen: [],
            "It reads fewer forms of a key usage."),
        KnownDifference(
            ["leaf/permits-*", "leaf/excludes-*", "leaf/constraint*"], answer: "accepted",
            scenario: "tls/divergences/constrained-leaf",
            seen: [.by(stacks, for: [.constraintViolated, .malformed])],
            "It ignores name constraints in a leaf. RFC 5280 4.2.1.10 has them in CA certificates alone."),
        KnownDifference(
            ["*/permits-*", "*/excludes-*", "*/constraint*"], of: ["nio"], answer: "refused",
            scenario: "tls/divergences/permitted-address",
            seen: [.by(["nio"])],
            "It reads constraints on few types of names, and refuses a chain with others."),
        KnownDifference(
            ["*/permits-*", "*/excludes-*", "*/constraint*"], answer: "refused",
            seen: [.by(["curl", "gnutls", "openssl"])],
            "It refuses constraints of types that it does not know, although no such name is below."),
        KnownDifference(
            ["*/permits-*", "*/excludes-*", "*/constraint*"], answer: "accepted",
            scenario: "tls/divergences/malformed-name",
            seen: [
                .by(stacks, for: [.malformed]), .by(stacks, for: [.constraintViolated], with: ["leaf/*"]),
                .by(["curl", "nio", "openssl"], for: [.constraintViolated], with: ["issuer/excludes-malformed"]),
                .by(
                    ["curl", "gnutls", "openssl"], for: [.constraintViolated],
                    with: ["issuer/excludes-www", "shape/wildcard"]),
                .by(["curl", "openssl"], for: [.constraintViolated], with: ["issuer/permits-address-odd-mask"]),
                .by(["gnutls"], for: [.constraintViolated], with: ["issuer/permits-other-directory"]),
                .by(["gnutls", "nio"], for: [.constraintViolated], with: ["issuer/permits-trailing-dot"]),
            ],
            "It compares the ends of names, leaves out types that it does not know, or does not look at the minimum and maximum."
        ),
        KnownDifference(
            ["*/policy-*", "*/mapping*", "*/require-policy-*", "*/inhibit-*"], answer: "accepted",
            scenario: "tls/divergences/required-policy",
            seen: [.by(stacks, for: [.malformed]), .by(["curl", "gnutls", "openssl"], for: [.constraintViolated])],
            "It looks at policies only when asked to, or does not read them as RFC 5280 4.2.1.4 has them."),
        KnownDifference(
            ["*/policy-*", "*/mapping*", "*/require-policy-*", "*/inhibit-*"], answer: "refused",
            scenario: "tls/divergences/mapped-policy",
            seen: [.by(["gnutls"])],
            "It knows no critical policy mappings or policy constraints, and refuses them."),
        KnownDifference(
            ["*/names-wildcard-*"], of: ["nio"], answer: "accepted",
            seen: [.by(["nio"], for: [.hostnameMismatch])],
            "Its names are compared in Swift (NIOSSL), which takes a partial wildcard, and one right below the top."),
        KnownDifference(
            ["*/names-wildcard-*"],
            seen: [],
            "It has another rule for wildcards (RFC 9525 6.3: the whole leftmost label)."),
        KnownDifference(
            [
                "leaf/names-trailing-dot", "leaf/names-uri-alone", "leaf/names-directory-alone", "leaf/without-names",
                "leaf/extensions-empty", "leaf/extensions-absent", "leaf/names-mail-alone",
                "leaf/names-registered-alone", "leaf/names-address*", "leaf/names-empty",
            ], answer: "accepted", scenario: "tls/divergences/common-name-only",
            seen: [
                .by(["curl", "gnutls", "nio"], for: [.hostnameMismatch]),
                .by(["nio"], for: [.constraintViolated], with: ["leaf/names-trailing-dot"]),
            ],
            "It falls back to the common name where no DNS name is there, or takes off a last dot."),
        KnownDifference(
            ["*/names-*", "*/issuer-names*"], answer: "refused",
            seen: [.by(["gnutls"])],
            "It refuses a certificate for an alternative name that it can't read, although another one matches."),
        KnownDifference(
            ["*/names-*", "*/issuer-names*"], answer: "accepted",
            seen: [.by(stacks, for: [.malformed])],
            "It reads alternative names that the reference does not, or ignores the malformed ones."),
    ]
}
