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
        /// One path: at each step an anchor, if one issued the certificate, else a sent one.
        case trustedFirst = "trusted-first"
        /// One path: at each step a sent certificate, if one issued it, else an anchor. Where it reaches no anchor, one
        /// that issued an earlier certificate of it ends the path.
        case sentFirst = "sent-first"
        /// One path: the certificates as they were sent, each issued by the next, and an anchor above the last.
        case sentOrder = "sent-order"
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

    /// The longest life of a leaf, by its date of issue.
    public struct Lifetime: Hashable, Sendable {
        /// The first `notBefore` that it applies to, in seconds since 1970.
        public let since: Int
        /// The days, of which a begun one counts.
        public let days: Int

        /// Creates a limit.
        public init(since: Int, days: Int) {
            self.since = since
            self.days = days
        }

        /// Returns the days of a validity, whose ends both count (RFC 5280 section 4.1.2.5).
        static func days(notBefore: Date, notAfter: Date) -> Int {
            Int(((notAfter.timeIntervalSince(notBefore) + 1) / 86_400).rounded(.up))
        }
    }

    /// The way from the leaf to an anchor.
    public var paths = PathBuilding.allPaths
    /// The certificates among the roots at which a path may end.
    public var anchors = AnchorForm.any
    /// True if an anchor has to be within its validity.
    public var judgesAnchorValidity = true
    /// True if the subject's common name counts where a leaf has no DNS name.
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

    /// Creates the habits of the reference.
    public init() {}
}
