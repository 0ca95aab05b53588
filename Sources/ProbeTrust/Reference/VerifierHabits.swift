import ProbePlatform

/// The habits of a shipped client's verifier, applied to the reference's search; the defaults are the reference's own.
///
/// The set is closed: whatever else such a verifier does otherwise is not emulated, and where the reference is stricter it
/// stays so.
public struct VerifierHabits: Hashable, Sendable {
    /// The way from the leaf to an anchor.
    public enum PathBuilding: String, Hashable, Sendable, CaseIterable {
        /// Any path that meets the rules.
        case allPaths = "all-paths"
        /// One path: at each step one of the roots, if one issued the certificate, else a sent one. Above a root only roots
        /// follow.
        case trustedFirst = "trusted-first"
        /// One path: at each step a sent certificate, if one issued it, and roots above them, which replace a sent one that
        /// is its own issuer. Where it reaches no anchor, a root that issued an earlier certificate of it goes on.
        case sentFirst = "sent-first"
        /// One path: at each step the first sent certificate of the issuer's name and key identifier, and an anchor above
        /// the last: of several the last that is valid. Where the roots have none, an anchor with the name and the key of
        /// the last takes its place.
        case sentNames = "sent-names"
        /// As ``sentNames``, and the anchor in place of the last is taken too where a certificate of the path is not valid.
        case sentNamesTwice = "sent-names-twice"
        /// One path: the certificates as they were sent, each issued by the next, and an anchor above the last.
        case sentOrder = "sent-order"
    }

    /// The issuer that is taken where several of one source, the roots or what was sent, have the name and fit. The
    /// signature is checked afterwards. Paths of names and those in the order as sent don't choose.
    public enum IssuerChoice: String, Hashable, Sendable, CaseIterable {
        /// One that is valid at the instant, else the first.
        case valid
        /// The same, of those whose key usage, if they have one, allows signing certificates.
        case validAuthority = "valid-authority"
        /// The first whose key usage, if it has one, allows signing certificates, whatever its validity.
        case firstAuthority = "first-authority"
        /// As ``validAuthority``, of the sent ones only from those behind the certificate, and of the roots only from those
        /// that made the signature.
        case behind
    }

    /// The certificates among the roots at which a path may end. One that is not of this form is a known intermediate.
    public enum AnchorForm: String, Hashable, Sendable, CaseIterable {
        /// Any of them, whoever issued it.
        case any
        /// One that is its own issuer, by its names and its key identifiers.
        case selfIssued = "self-issued"
        /// One that is its own issuer, and whose key usage, if it has one, allows signing certificates.
        case selfIssuedAuthority = "self-issued-authority"
    }

    /// The purposes in an extended key usage that let a certificate stand in a server's path.
    public enum Purposes: String, Hashable, Sendable, CaseIterable {
        /// The server's own, and not any purpose beside it.
        case alone
        /// The server's own, whatever is beside it.
        case named
        /// The server's own, or any purpose.
        case any
    }

    /// The certificates whose extended key usage is judged.
    public enum PurposePlaces: String, Hashable, Sendable, CaseIterable {
        /// All of a path.
        case path
        /// All but the anchor.
        case belowAnchor = "below-anchor"
        /// The leaf alone.
        case leaf
    }

    /// The key usages with which a leaf may serve; one without the extension may in any case.
    public enum LeafUsage: String, Hashable, Sendable, CaseIterable {
        /// One with a signature.
        case signature
        /// One with a signature, or the encipherment or agreement of keys.
        case server
        /// Any.
        case any
    }

    /// The extensions that a verifier may not know, so that it refuses a certificate where they are critical.
    public enum UnknownExtension: String, Hashable, Sendable, CaseIterable {
        /// Name constraints (RFC 5280 section 4.2.1.10).
        case nameConstraints = "name-constraints"
        /// Policy mappings (RFC 5280 section 4.2.1.5).
        case policyMappings = "policy-mappings"
        /// Policy constraints (RFC 5280 section 4.2.1.11).
        case policyConstraints = "policy-constraints"
        /// The end of anyPolicy (RFC 5280 section 4.2.1.14).
        case inhibitAnyPolicy = "inhibit-any-policy"
        /// TLS features (RFC 7633).
        case tlsFeatures = "tls-features"
    }

    /// The longest life of a leaf, by its date of issue.
    public struct Lifetime: Hashable, Sendable {
        /// The first `notBefore` that it applies to, in seconds since 1970.
        public let since: Int
        /// The days, each of 86 400 seconds.
        public let days: Int
        /// The seconds beyond them that are accepted too.
        public let slack: Int

        /// Creates a limit.
        public init(since: Int, days: Int, slack: Int = 0) {
            self.since = since
            self.days = days
            self.slack = slack
        }

        /// Returns true if a validity is within the limit. Clients subtract its ends, of which RFC 5280 section 4.1.2.5
        /// counts both: Chromium's `HasTooLongValidity` in net/cert/cert_verify_proc.cc, and
        /// `SecPolicyCheckSystemTrustValidityPeriodMaximums` in SecPolicyServer.c of Apple's Security.
        func allows(notBefore: Date, notAfter: Date) -> Bool {
            notAfter.timeIntervalSince(notBefore) <= TimeInterval(days * 86_400 + slack)
        }

        /// Returns the days of a validity, whose ends both count (RFC 5280 section 4.1.2.5), a begun one being a day.
        static func days(notBefore: Date, notAfter: Date) -> Int {
            Int(((notAfter.timeIntervalSince(notBefore) + 1) / 86_400).rounded(.up))
        }
    }

    /// The way from the leaf to an anchor.
    public var paths = PathBuilding.allPaths
    /// The issuer that is taken where several fit, of a verifier that follows one path.
    public var issuers = IssuerChoice.valid
    /// The certificates among the roots at which a path may end.
    public var anchors = AnchorForm.any
    /// True if an anchor has to be within its validity.
    public var judgesAnchorValidity = true
    /// True if the subject's only common name counts where a leaf has no alternative name.
    public var acceptsCommonName = false
    /// True if signatures with SHA-1 are accepted.
    public var acceptsSHA1 = false
    /// The size of an RSA key below which it is refused. Keys below 2048 bits the reference refuses in any case.
    public var minimumRSABits = 2048
    /// True if a certificate is valid in the second of its `notAfter`.
    public var includesLastSecond = true
    /// The longest lives of leaves; the last one that applies counts.
    public var lifetimes: [Lifetime] = []
    /// True if name constraints of issuers are judged.
    public var judgesNameConstraints = true
    /// True if an issuer has to be the certificate that the authority key identifier names.
    public var requiresKeyIdentifiers = false
    /// The purposes that let a certificate stand in a server's path.
    public var purposes = Purposes.alone
    /// The first `notBefore`, in seconds since 1970, from which a leaf has to have an extended key usage that names the
    /// server; nil accepts a leaf without one.
    public var serverPurposeSince: Int?
    /// The certificates whose extended key usage is judged.
    public var purposePlaces = PurposePlaces.path
    /// The key usages with which a leaf may serve.
    public var leafUsage = LeafUsage.signature
    /// True if a leaf must not be an authority, and nothing but an authority may sign certificates or constrain names.
    public var judgesRoles = true
    /// True if certificate policies, their mappings and constraints are judged.
    public var judgesPolicies = true
    /// True if an anchor whose extensions can't be read is refused.
    public var readsAnchors = true
    /// True if a leaf may be for an IP address.
    public var acceptsAddresses = true
    /// The extensions that are refused where they are critical, although the reference knows them.
    public var unknownExtensions: Set<UnknownExtension> = []

    /// Creates the habits of the reference.
    public init() {}
}
