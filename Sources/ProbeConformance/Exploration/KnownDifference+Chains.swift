extension KnownDifference {
    /// The differences between verifiers of chains whose reasons are known; the first entry that fits is taken. `docs/explored.md`
    /// has them with their counts.
    public static let chains: [KnownDifference] = [
        KnownDifference(
            ["root/*"], answer: "refused",
            "It reads all of an anchor: its extensions, its form and its own issuer. For the reference an anchor is a name and a key with its validity."
        ),
        KnownDifference(
            ["root/*"], answer: "accepted",
            "It takes an anchor as it is, without judging its form or extensions that concern nothing below. The reference wants a certificate that it can read."
        ),
        KnownDifference(
            ["anchors/*"], of: ["nio"], answer: "refused", scenario: "tls/trust/intermediate-as-anchor",
            "Its paths end in an authority that signed itself, whatever the anchors."),
        KnownDifference(
            ["anchors/*"], answer: "refused",
            "It takes the first anchor of a name, and looks for no other when that one has expired or has another key."),
        KnownDifference(
            ["anchors/*"], answer: "accepted",
            "It stops at a certificate that is among its anchors, whatever that one is."),
        KnownDifference(
            ["chain/junk", "chain/one-byte"], answer: "refused",
            "It refuses a chain with a certificate that it can't read, although none is missing. The reference leaves out what belongs to no path."
        ),
        KnownDifference(
            ["chain/*"], answer: "refused",
            "It takes the first certificate with the issuer's name, or one whose key identifier fits, and does not go back when that one is wrong. The reference searches all paths."
        ),
        KnownDifference(
            ["chain/*"], answer: "accepted",
            "It finds a path where the reference finds none."),
        KnownDifference(
            ["ask/*"],
            "It has another rule for the name or the purpose that is asked for."),
        KnownDifference(
            [
                "*/subject-key-other", "*/subject-key-empty", "*/subject-key-long", "*/authority-key-other",
                "*/authority-key-no-bytes", "*/authority-serial-other", "*/authority-serial-alone",
                "*/authority-name-alone", "*/without-subject-key", "*/subject-key-bit", "*/authority-key-bit",
                "*/extensions-of-another", "*/extension-of-another",
            ], answer: "refused",
            "It follows an issuer only if the key identifiers match. For the reference they are hints for the order of a search (RFC 5280 4.2.1.1), and a signature decides."
        ),
        KnownDifference(
            [
                "*/issuer-upper-case", "*/issuer-printable", "*/issuer-ia5", "*/issuer-space-start",
                "*/issuer-space-end", "*/subject-spaces-issuer-not", "*/issuer-tab-end", "*/subject-spaces",
            ], of: ["gnutls"], answer: "refused",
            "It compares names byte by byte. RFC 5280 7.1 folds case and white space."),
        KnownDifference(
            [
                "*/issuer-teletex", "*/issuer-bmp", "*/issuer-tab-end", "*/issuer-fullwidth", "*/issuer-soft-hyphen",
                "*/issuer-zero-end", "*/issuer-printable", "*/issuer-ia5",
            ], answer: "accepted",
            "It prepares names for comparison as RFC 4518 asks: tabs are spaces, and strings of other types are converted. The reference converts UTF8String and PrintableString alone."
        ),
        KnownDifference(
            ["*/issuer-*"], answer: "refused",
            "It compares the two names more strictly than RFC 5280 7.1."),
        KnownDifference(
            ["*/issuer-*"], answer: "accepted",
            "It does not compare, or does not read, what the reference does."),
        KnownDifference(
            ["*/ends-now", "*/dates-of-one-second"], of: ["openssl", "curl", "nio"], answer: "refused",
            scenario: "tls/divergences/ends-now",
            "It takes the second of notAfter for expired. RFC 5280 4.1.2.5: both ends are valid."),
        KnownDifference(
            ["*/ends-*", "*/ended*", "*/began-*", "*/begins-*", "*/dates-*"], answer: "accepted",
            "It reads dates that RFC 5280 4.1.2.5 forbids: days that the month does not have, times without seconds or with an offset, and others."
        ),
        KnownDifference(
            ["*/ends-*", "*/ended*", "*/began-*", "*/begins-*", "*/dates-*"], answer: "refused",
            "It reads fewer forms of dates, or fewer years, than the reference."),
        KnownDifference(
            ["*/features-staple*", "*/features-*"], of: ["gnutls"], answer: "refused",
            scenario: "tls/divergences/must-staple-issuer",
            "It keeps the demand for a staple of an issuer or an anchor, and refuses features that it can't read."),
        KnownDifference(
            ["*/features-*"], answer: "refused",
            "It knows no critical TLS features (RFC 7633)."),
        KnownDifference(
            ["*/features-*"], answer: "accepted", scenario: "tls/divergences/must-staple",
            "It does not look at TLS features (RFC 7633)."),
        KnownDifference(
            [
                "*/purpose-server-and-any", "*/purpose-any", "*/purpose-empty", "*/purpose-microsoft",
                "*/purpose-netscape", "*/purpose-*",
            ], answer: "accepted", scenario: "tls/divergences/empty-purpose",
            "It takes anyExtendedKeyUsage, an empty list, or the old server-gated purposes for serverAuth, or looks at the leaf alone."
        ),
        KnownDifference(
            ["*/purpose-*"], answer: "refused",
            "It reads fewer forms of an extended key usage."),
        KnownDifference(
            [
                "*/ca-true", "*/path-length-0", "*/path-length-1", "*/path-length-huge", "*/path-length-padded",
                "*/ca-true-as-01",
            ], answer: "accepted", scenario: "tls/divergences/signing-authority-as-leaf",
            "It takes an authority as a server's leaf, or reads a path length that the reference does not."),
        KnownDifference(
            ["*/usage-*"], answer: "accepted", scenario: "tls/divergences/encipherment-usage",
            "It does not ask a leaf's key usage for a signature, or reads bits that DER forbids."),
        KnownDifference(
            ["*/usage-*"], answer: "refused",
            "It reads fewer forms of a key usage."),
        KnownDifference(
            ["leaf/permits-*", "leaf/excludes-*", "leaf/constraint*"], answer: "accepted",
            scenario: "tls/divergences/constrained-leaf",
            "It ignores name constraints in a leaf. RFC 5280 4.2.1.10 has them in CA certificates alone."),
        KnownDifference(
            ["*/permits-*", "*/excludes-*", "*/constraint*"], of: ["nio"], answer: "refused",
            scenario: "tls/divergences/permitted-address",
            "It reads constraints on few types of names, and refuses a chain with others."),
        KnownDifference(
            ["*/permits-*", "*/excludes-*", "*/constraint*"], answer: "refused",
            "It refuses constraints of types that it does not know, although no such name is below."),
        KnownDifference(
            ["*/permits-*", "*/excludes-*", "*/constraint*"], answer: "accepted",
            scenario: "tls/divergences/malformed-name",
            "It compares the ends of names, leaves out types that it does not know, or does not look at the minimum and maximum."
        ),
        KnownDifference(
            ["*/policy-*", "*/mapping*", "*/require-policy-*", "*/inhibit-*"], answer: "accepted",
            scenario: "tls/divergences/required-policy",
            "It looks at policies only when asked to, or does not read them as RFC 5280 4.2.1.4 has them."),
        KnownDifference(
            ["*/policy-*", "*/mapping*", "*/require-policy-*", "*/inhibit-*"], answer: "refused",
            scenario: "tls/divergences/mapped-policy",
            "It knows no critical policy mappings or policy constraints, and refuses them."),
        KnownDifference(
            ["*/names-wildcard-*"], of: ["nio"], answer: "accepted",
            "Its names are compared in Swift (NIOSSL), which takes a partial wildcard, and one right below the top."),
        KnownDifference(
            ["*/names-wildcard-*"],
            "It has another rule for wildcards (RFC 9525 6.3: the whole leftmost label)."),
        KnownDifference(
            [
                "leaf/names-trailing-dot", "leaf/names-uri-alone", "leaf/names-directory-alone", "leaf/without-names",
                "leaf/extensions-empty", "leaf/extensions-absent", "leaf/names-mail-alone",
                "leaf/names-registered-alone", "leaf/names-address*", "leaf/names-empty",
            ], answer: "accepted", scenario: "tls/divergences/common-name-only",
            "It falls back to the common name where no DNS name is there, or takes off a last dot."),
        KnownDifference(
            ["*/names-*", "*/issuer-names*"], answer: "refused",
            "It refuses a certificate for an alternative name that it can't read, although another one matches."),
        KnownDifference(
            ["*/names-*", "*/issuer-names*"], answer: "accepted",
            "It reads alternative names that the reference does not, or ignores the malformed ones."),
        KnownDifference(
            ["*/key-rsa-512", "*/key-rsa-1024", "*/key-rsa-2047"], answer: "accepted", scenario: "tls/trust/rsa-1024",
            "It asks RSA keys for less than 2048 bits."),
        KnownDifference(
            ["*/key-*"], answer: "accepted",
            "It does not use a leaf's key in a trust decision, and so reads no more of it, or it knows more curves and forms."
        ),
        KnownDifference(
            ["*/key-*"], answer: "refused",
            "It reads fewer keys than the reference."),
        KnownDifference(
            ["*/signed-ecdsa-sha1", "*/signed-rsa-sha1"], answer: "accepted", scenario: "tls/trust/sha-1",
            "It takes certificates signed with SHA-1."),
        KnownDifference(
            ["*/signed-*", "*/outer-algorithm-*", "*/signature-*"], answer: "accepted",
            "It reads parameters, paddings or numbers of a signature that DER and RFC 4055 or 5758 forbid, or does not compare the two algorithm fields."
        ),
        KnownDifference(
            ["*/signed-*", "*/outer-algorithm-*", "*/signature-*"], answer: "refused",
            "It knows fewer schemes or forms of a signature."),
        KnownDifference(
            ["*/proxy*", "*/netscape-*", "*/crl-points-*", "*/freshest-*", "*/access-*", "*/subject-access-*"],
            answer: "refused",
            "It reads extensions that the reference leaves to others: it refuses a malformed one, or what a proxy or a Netscape type means."
        ),
        KnownDifference(
            ["*-critical", "*-critical-malformed", "*-malformed-critical", "*-criticality-changed"], answer: "accepted",
            "It accepts a critical extension that it knows, although it does nothing with it, or one of those that RFC 5280 forbids to be critical."
        ),
        KnownDifference(
            ["*-critical", "*-criticality-changed"], answer: "refused",
            "It does not know an extension that the reference does."),
        KnownDifference(
            ["*/subject-*"], answer: "refused",
            "It checks the strings of a name by their types. The reference compares them as bytes."),
        KnownDifference(
            ["*/subject-*"], answer: "accepted",
            "It reads names that the reference can't, or that it finds too long."),
        KnownDifference(
            ["*/version-*", "*/serial-*", "*/body-*", "*/whole-*", "*/unique-*", "*/unknown-field"], answer: "accepted",
            scenario: "tls/divergences/negative-serial",
            "It reads BER where a certificate is DER, or numbers and versions that RFC 5280 4.1.2 forbids."),
        KnownDifference(
            ["*/version-*", "*/serial-*", "*/body-*", "*/whole-*"], answer: "refused",
            "It is stricter about the form of the whole than the reference."),
        KnownDifference(
            ["*/unique-*"], answer: "refused",
            "It reads no unique identifiers (RFC 5280 4.1.2.8)."),
        KnownDifference(
            [
                "*-value-longer", "*-value-shorter", "*-value-indefinite", "*-value-long-length", "*-true-as-01",
                "*-false-written", "*-bit", "*-no-octets", "*-malformed", "*-not-der", "*-identifier", "*-arc",
                "*/basic-*", "*-twice", "*-in-a-row", "*/ca-*", "*/path-length-*", "*/authority-*", "*/unknown-*",
                "*/crl-*", "*/access-*", "*/statements*", "*/timestamps-*", "*/netscape-*", "*/issuing-*",
            ], answer: "accepted",
            "It does not decode that extension, decodes BER, or takes the first of two. The reference holds all it knows to DER (X.690 10 and 11)."
        ),
        KnownDifference(
            [
                "*-value-longer", "*-value-shorter", "*-value-indefinite", "*-value-long-length", "*-bit",
                "*-no-octets", "*-malformed", "*-empty", "*-alone", "*/basic-*", "*/path-length-*", "*/authority-*",
                "*/unknown-*", "*/crl-*", "*/access-*", "*/timestamps-*", "*-twice", "*-in-a-row",
            ], answer: "refused",
            "It decodes an extension that the reference does not need, and refuses it."),
        KnownDifference(
            ["*/extensions-*", "*/extension-*", "*/without-*"],
            "It asks for other extensions than the reference does."),
    ]
}
