import ProbeKit

extension KnownDifference {
    /// The differences about anchors, the search for a path, the names that join it, and dates.
    static let ofPaths: [KnownDifference] = [
        KnownDifference(
            ["root/*"], answer: "refused",
            seen: [.by(stacks)],
            "It reads all of an anchor: its extensions, its form and its own issuer. For the reference an anchor is a name and a key with its validity."
        ),
        KnownDifference(
            ["root/*"], answer: "accepted",
            seen: [
                .by(stacks, for: form), .by(stacks, for: [.unknownIssuer], with: ["shape/crossed"]),
                .by(["curl", "gnutls", "openssl"], for: [.unknownIssuer], with: ["root/body-*"]),
                .by(["curl", "gnutls", "openssl"], for: [.unknownIssuer], with: ["root/whole-*"]),
                .by(["curl", "nio", "openssl"], for: [.unknownIssuer], with: ["root/subject-universal"]),
                .by(stacks, for: [.unknownIssuer, .expired], with: ["anchors/*"]),
                .by(stacks, for: [.badSignature], with: ["root/key-rsa-*", "shape/crossed"]),
                .by(["gnutls"], for: [.badSignature], with: ["anchors/namesake-first"]),
            ],
            "It takes an anchor as it is, without judging its form or extensions that concern nothing below. The reference wants a certificate that it can read."
        ),
        KnownDifference(
            ["anchors/*"], of: ["nio"], answer: "refused", scenario: "tls/trust/intermediate-as-anchor",
            seen: [.by(["nio"])],
            "Its paths end in an authority that signed itself, whatever the anchors."),
        KnownDifference(
            ["anchors/*"], answer: "refused",
            seen: [.by(["curl", "gnutls", "openssl"])],
            "It takes the first anchor of a name, and looks for no other when that one has expired or has another key."),
        KnownDifference(
            ["anchors/*"], answer: "accepted",
            seen: [.by(["curl", "gnutls", "openssl"], for: form)],
            "It stops at a certificate that is among its anchors, whatever that one is."),
        KnownDifference(
            ["chain/junk", "chain/one-byte"], answer: "refused",
            seen: [.by(stacks)],
            "It refuses a chain with a certificate that it can't read, although none is missing. The reference leaves out what belongs to no path."
        ),
        KnownDifference(
            ["chain/*"], answer: "refused",
            seen: [.by(stacks)],
            "It takes the first certificate with the issuer's name, or one whose key identifier fits, and does not go back when that one is wrong. The reference searches all paths."
        ),
        KnownDifference(
            ["chain/*"], answer: "accepted",
            seen: [
                .by(["curl", "openssl"], for: [.expired], with: ["chain/renewed-issuer-first"]),
                .by(stacks, for: form, with: ["issuer/*"]), .by(stacks, for: form, with: ["leaf/*"]),
            ],
            "It finds a path where the reference finds none."),
        KnownDifference(
            ["ask/*"],
            seen: [
                .by(["nio", "openssl"], with: ["ask/underscore"]),
                .by(["curl", "openssl"], with: ["ask/any-purpose", "leaf/*"]), .by(stacks, for: form, with: ["leaf/*"]),
                .by(stacks, for: form, with: ["issuer/*"]),
            ],
            "It has another rule for the name or the purpose that is asked for."),
        KnownDifference(
            [
                "*/subject-key-other", "*/subject-key-empty", "*/subject-key-long", "*/authority-key-other",
                "*/authority-key-no-bytes", "*/authority-serial-other", "*/authority-serial-alone",
                "*/authority-name-alone", "*/without-subject-key", "*/subject-key-bit", "*/authority-key-bit",
                "*/extensions-of-another", "*/extension-of-another",
            ], answer: "refused",
            seen: [.by(stacks)],
            "It follows an issuer only if the key identifiers match. For the reference they are hints for the order of a search (RFC 5280 4.2.1.1), and a signature decides."
        ),
        KnownDifference(
            [
                "*/issuer-upper-case", "*/issuer-printable", "*/issuer-ia5", "*/issuer-space-start",
                "*/issuer-space-end", "*/subject-spaces-issuer-not", "*/issuer-tab-end", "*/subject-spaces",
            ], of: ["gnutls"], answer: "refused",
            seen: [.by(["gnutls"])],
            "It compares names byte by byte. RFC 5280 7.1 folds case and white space."),
        KnownDifference(
            [
                "*/issuer-teletex", "*/issuer-bmp", "*/issuer-tab-end", "*/issuer-fullwidth", "*/issuer-soft-hyphen",
                "*/issuer-zero-end", "*/issuer-printable", "*/issuer-ia5",
            ], answer: "accepted",
            seen: [.by(stacks, for: [.unknownIssuer])],
            "It prepares names for comparison as RFC 4518 asks: tabs are spaces, and strings of other types are converted. The reference converts UTF8String and PrintableString alone."
        ),
        KnownDifference(
            ["*/issuer-*"], answer: "refused",
            seen: [.by(["gnutls"])],
            "It compares the two names more strictly than RFC 5280 7.1."),
        KnownDifference(
            ["*/issuer-*"], answer: "accepted",
            seen: [
                .by(["gnutls"], for: [.constraintViolated], with: ["*/issuer-names-critical"]),
                .by(["curl", "nio", "openssl"], for: [.unknownIssuer], with: ["*/subject-universal"]),
                .by(stacks, for: [.malformed], with: ["*/issuer-names-*", "*/body-*"]),
            ],
            "It does not compare, or does not read, what the reference does."),
        KnownDifference(
            ["*/ends-now", "*/dates-of-one-second"], of: ["openssl", "curl", "nio"], answer: "refused",
            scenario: "tls/divergences/ends-now",
            seen: [.by(["curl", "nio", "openssl"])],
            "It takes the second of notAfter for expired. RFC 5280 4.1.2.5: both ends are valid."),
        KnownDifference(
            ["*/ends-*", "*/ended*", "*/began-*", "*/begins-*", "*/dates-*"], answer: "accepted",
            seen: [.by(["gnutls"], for: [.malformed])],
            "It reads dates that RFC 5280 4.1.2.5 forbids: days that the month does not have, times without seconds or with an offset, and others."
        ),
        KnownDifference(
            ["*/ends-*", "*/ended*", "*/began-*", "*/begins-*", "*/dates-*"], answer: "refused",
            seen: [],
            "It reads fewer forms of dates, or fewer years, than the reference."),
    ]
}
