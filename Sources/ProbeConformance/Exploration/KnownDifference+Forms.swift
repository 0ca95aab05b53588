import ProbeKit

extension KnownDifference {
    /// The differences about keys, signatures, and the form of certificates and of other extensions.
    static let ofForms: [KnownDifference] = [
        KnownDifference(
            ["*/key-rsa-512", "*/key-rsa-1024", "*/key-rsa-2047"], answer: "accepted", scenario: "tls/trust/rsa-1024",
            seen: [.by(["curl", "nio", "openssl"], for: [.weakKey])],
            "It asks RSA keys for less than 2048 bits."),
        KnownDifference(
            ["*/key-*"], answer: "accepted",
            seen: [.by(stacks, for: [.malformed, .tooComplex, .weakKey])],
            "It does not use a leaf's key in a trust decision, and so reads no more of it, or it knows more curves and forms."
        ),
        KnownDifference(
            ["*/key-*"], answer: "refused",
            seen: [.by(["gnutls", "nio"])],
            "It reads fewer keys than the reference."),
        KnownDifference(
            ["*/signed-ecdsa-sha1", "*/signed-rsa-sha1"], answer: "accepted", scenario: "tls/trust/sha-1",
            seen: [.by(["nio"], for: [.weakSignature])],
            "It takes certificates signed with SHA-1."),
        KnownDifference(
            ["*/signed-*", "*/outer-algorithm-*", "*/signature-*"], answer: "accepted",
            seen: [.by(stacks, for: [.malformed, .other])],
            "It reads parameters, paddings or numbers of a signature that DER and RFC 4055 or 5758 forbid, or does not compare the two algorithm fields."
        ),
        KnownDifference(
            ["*/signed-*", "*/outer-algorithm-*", "*/signature-*"], answer: "refused",
            seen: [],
            "It knows fewer schemes or forms of a signature."),
        KnownDifference(
            ["*/proxy*", "*/netscape-*", "*/crl-points-*", "*/freshest-*", "*/access-*", "*/subject-access-*"],
            answer: "refused",
            seen: [.by(["curl", "nio", "openssl"])],
            "It reads extensions that the reference leaves to others: it refuses a malformed one, or what a proxy or a Netscape type means."
        ),
        KnownDifference(
            ["*-critical", "*-critical-malformed", "*-malformed-critical", "*-criticality-changed"], answer: "accepted",
            seen: [
                .by(["curl", "gnutls", "openssl"], for: [.constraintViolated]), .by(["gnutls"], for: [.malformed]),
            ],
            "It accepts a critical extension that it knows, although it does nothing with it, or one of those that RFC 5280 forbids to be critical."
        ),
        KnownDifference(
            ["*-critical", "*-criticality-changed"], answer: "refused",
            seen: [],
            "It does not know an extension that the reference does."),
        KnownDifference(
            ["*/subject-*"], answer: "refused",
            seen: [.by(["curl", "nio", "openssl"])],
            "It checks the strings of a name by their types. The reference compares them as bytes."),
        KnownDifference(
            ["*/subject-*"], answer: "accepted",
            seen: [.by(stacks, for: [.malformed, .tooComplex])],
            "It reads names that the reference can't, or that it finds too long."),
        KnownDifference(
            ["*/version-*", "*/serial-*", "*/body-*", "*/whole-*", "*/unique-*", "*/unknown-field"], answer: "accepted",
            scenario: "tls/divergences/negative-serial",
            seen: [
                .by(stacks, for: [.malformed]),
                // A changed byte may take the alternative names away, and these fall back to the common name.
                .by(["curl", "gnutls", "nio"], for: [.hostnameMismatch], with: ["leaf/body-*"]),
                .by(["curl", "gnutls", "openssl"], for: [.unknownIssuer], with: ["issuer/body-*"]),
                .by(["curl", "gnutls", "openssl"], for: [.unknownIssuer], with: ["issuer/whole-*"]),
            ],
            "It reads BER where a certificate is DER, or numbers and versions that RFC 5280 4.1.2 forbids."),
        KnownDifference(
            ["*/version-*", "*/serial-*", "*/body-*", "*/whole-*"], answer: "refused",
            seen: [.by(stacks)],
            "It is stricter about the form of the whole than the reference."),
        KnownDifference(
            ["*/unique-*"], answer: "refused",
            seen: [],
            "It reads no unique identifiers (RFC 5280 4.1.2.8)."),
        KnownDifference(
            [
                "*-value-longer", "*-value-shorter", "*-value-indefinite", "*-value-long-length", "*-true-as-01",
                "*-false-written", "*-bit", "*-no-octets", "*-malformed", "*-not-der", "*-identifier", "*-arc",
                "*/basic-*", "*-twice", "*-in-a-row", "*/ca-*", "*/path-length-*", "*/authority-*", "*/unknown-*",
                "*/crl-*", "*/access-*", "*/statements*", "*/timestamps-*", "*/netscape-*", "*/issuing-*",
            ], answer: "accepted",
            seen: [
                .by(stacks, for: [.malformed]),
                .by(["gnutls"], for: [.constraintViolated, .wrongPurpose], with: ["*/path-length-negative"]),
            ],
            "It does not decode that extension, decodes BER, or takes the first of two. The reference holds all it knows to DER (X.690 10 and 11)."
        ),
        KnownDifference(
            [
                "*-value-longer", "*-value-shorter", "*-value-indefinite", "*-value-long-length", "*-bit",
                "*-no-octets", "*-malformed", "*-empty", "*-alone", "*/basic-*", "*/path-length-*", "*/authority-*",
                "*/unknown-*", "*/crl-*", "*/access-*", "*/timestamps-*", "*-twice", "*-in-a-row",
            ], answer: "refused",
            seen: [.by(stacks)],
            "It decodes an extension that the reference does not need, and refuses it."),
        KnownDifference(
            ["*/extensions-*", "*/extension-*", "*/without-*"],
            seen: [
                .by(stacks, for: [.constraintViolated, .wrongPurpose], with: ["*/extension-of-another"]),
                .by(["gnutls"], for: [.wrongPurpose], with: ["leaf/extensions-of-another"]),
            ],
            "It asks for other extensions than the reference does."),
    ]
}
