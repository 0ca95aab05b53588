/// One verifier's answer to a ``TrustQuestion``.
public struct TrustReading: Hashable, Sendable {
    /// One fault of the chain.
    public struct Problem: Hashable, Sendable {
        /// Our name for it.
        public let cause: TrustCause
        /// The verifier's own code, whole, like `X509_V_ERR_CERT_HAS_EXPIRED`.
        public let nativeCode: String?
        /// The verifier's own words.
        public let message: String
        /// The position of the fault in the path, the leaf being 0; nil if the verifier does not report it.
        public let depth: Int?
        /// The change that removes it, if the cause alone does not imply it.
        public let fix: String?

        /// Creates a problem.
        public init(
            _ cause: TrustCause, _ message: String, nativeCode: String? = nil, depth: Int? = nil, fix: String? = nil
        ) {
            self.cause = cause
            self.nativeCode = nativeCode
            self.message = PrintableText.escape(message)
            self.depth = depth
            self.fix = fix
        }

        /// The problem beside the number of anchors that its verifier could not read, where an issuer may be unknown for
        /// that reason alone.
        package func amongUnreadable(anchors skipped: Int) -> Problem {
            guard skipped > 0, cause == .unknownIssuer || cause == .selfSigned else { return self }
            return Problem(
                cause, message + " (\(skipped) of the anchors could not be read)", nativeCode: nativeCode, depth: depth,
                fix: fix)
        }
    }

    /// Something worth knowing about a chain that is accepted.
    public struct Remark: Hashable, Sendable {
        /// The severity of a remark.
        public enum Severity: String, Hashable, Sendable, Codable {
            /// It should be changed.
            case warning
            /// It changes nothing.
            case note
        }

        /// The remark's severity.
        public let severity: Severity
        /// A stable name in kebab case.
        public let code: String
        /// The remark, naming the certificate.
        public let message: String
        /// The change that removes it; empty for a note.
        public let fix: String

        /// Returns a remark that asks for a change.
        public static func warning(_ code: String, _ message: String, fix: String) -> Remark {
            Remark(severity: .warning, code: code, message: PrintableText.escape(message), fix: fix)
        }

        /// Returns a remark that changes nothing.
        public static func note(_ code: String, _ message: String) -> Remark {
            Remark(severity: .note, code: code, message: PrintableText.escape(message), fix: "")
        }
    }

    /// The reason of a verifier in a program of its own that gave no answer.
    @nonexhaustive public enum Silence: Hashable, Sendable {
        /// It did not answer as its protocol demands.
        case programFault
        /// It did not answer in time.
        case programHung
        /// It was not asked, since others took the time.
        case programBusy
    }

    /// All faults that the verifier found; empty means accepted, and without an answer there is one of no known cause.
    public let problems: [Problem]
    /// False if the verifier gave no answer, which means nothing for the chain; its one problem is the reason.
    public private(set) var isAnswered = true
    /// The reason why a verifier in a program of its own gave no answer; nil where there is another.
    public private(set) var silence: Silence?
    /// The same reading; nil if the verifier gave no answer.
    package var answered: TrustReading? { isAnswered ? self : nil }
    /// The path from leaf to anchor as DER, if the chain was accepted and the verifier shows its path.
    public let path: [[UInt8]]?
    /// True if the verifier, as its library's ordinary client uses it, judges a stapled OCSP response. If not, a chain
    /// that it accepts may be revoked.
    public private(set) var judgesRevocation = false

    /// The same answer from a verifier that judges a stapled OCSP response.
    public var judgingRevocation: TrustReading {
        var reading = self
        reading.judgesRevocation = true
        return reading
    }

    /// The remarks on an accepted chain.
    public let remarks: [Remark]

    /// Returns the answer "accepted".
    public static func accepted(path: [[UInt8]]?, remarks: [Remark] = []) -> TrustReading {
        TrustReading(problems: [], path: path, remarks: remarks)
    }

    /// Returns the result "refused", for at least one problem; the most severe cause comes first.
    public static func refused(_ problems: [Problem]) -> TrustReading {
        precondition(!problems.isEmpty, "a refusal names its problem")
        return TrustReading(problems: problems.sorted { $0.cause < $1.cause }, path: nil, remarks: [])
    }

    /// Returns what is known without an answer, as after the end of the verifier's process: the chain is not accepted, nor is
    /// it refused by anyone.
    public static func unanswered(
        _ reason: String, nativeCode: String? = nil, silence: Silence? = nil
    ) -> TrustReading {
        var reading = refused([Problem(.other, reason, nativeCode: nativeCode)])
        reading.isAnswered = false
        reading.silence = silence
        return reading
    }

    private init(problems: [Problem], path: [[UInt8]]?, remarks: [Remark]) {
        self.problems = problems
        self.path = path
        self.remarks = remarks
    }

    /// True if the chain is trusted.
    public var isAccepted: Bool { problems.isEmpty }
    /// The most severe cause; nil if accepted.
    public var cause: TrustCause? { problems.first?.cause }
}

/// The valid paths that a verifier found beside its own. A client that prefers other certificates, or lacks an anchor,
/// uses one of them.
public struct FurtherPaths: Hashable, Sendable {
    /// Each from the leaf to an anchor, as DER, in the order of the search.
    public let paths: [[[UInt8]]]
    /// True if the search completed; else there may be more paths.
    public let isComplete: Bool

    /// Creates a result from the paths found.
    public init(_ paths: [[[UInt8]]], isComplete: Bool) {
        self.paths = paths
        self.isComplete = isComplete
    }

    /// The maximum number of paths considered if pins depend on them; a chain that has more is reported.
    public static let limit = 32

    /// No further paths.
    public static let none = FurtherPaths([], isComplete: true)
}

/// The reason why a chain is not trusted: the closed set that every stack's native codes map to.
///
/// The order of the cases is the order of precedence: if a chain fails for several causes, the first one is reported as
/// the cause, and all are listed.
@nonexhaustive public enum TrustCause: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// A certificate, one of its extensions or a revocation list can't be parsed, or breaks the form of RFC 5280 section
    /// 4.1; or the server presented no certificate.
    case malformed
    /// The verifier gave up before the end: too many or too large certificates, keys, names or paths.
    case tooComplex = "too-complex"
    /// A signature in the path does not verify with the key of the issuer that was found (RFC 5280 section 6.1.3, a.1).
    case badSignature = "bad-signature"
    /// The issuer revoked a certificate, by a revocation list or a stapled OCSP response (RFC 5280 section 6.1.3, a.3).
    case revoked
    /// The leaf signed itself and is not an anchor. A self-signed certificate further up is ``unknownIssuer``.
    case selfSigned = "self-signed"
    /// The path ends before an anchor: an issuer was not found, or the root at its end is not trusted.
    case unknownIssuer = "unknown-issuer"
    /// A certificate is used against a limit that it, or one above it, sets: an issuer that may not issue (basic
    /// constraints, path length, key usage), name constraints, certificate policies, an unknown critical extension, a
    /// staple that is demanded (RFC 5280 sections 4.2 and 6.1, RFC 7633). The depth asked for counts too.
    case constraintViolated = "constraint-violated"
    /// The certificate is for another use than a TLS server's, or than the one asked for: the extended key usage of the path,
    /// the key usage of the leaf, or a leaf that is a CA (RFC 5280 sections 4.2.1.3 and 4.2.1.12).
    case wrongPurpose = "wrong-purpose"
    /// A certificate is signed with a digest whose collisions can be computed, like SHA-1.
    case weakSignature = "weak-signature"
    /// A key is too short, or of a kind, curve or encoding that no public CA may certify.
    case weakKey = "weak-key"
    /// The instant is after a certificate's notAfter (RFC 5280 section 4.1.2.5).
    case expired
    /// The instant is before a certificate's notBefore (RFC 5280 section 4.1.2.5).
    case notYetValid = "not-yet-valid"
    /// The leaf does not name the server that was asked for (RFC 9525 section 6).
    case hostnameMismatch = "hostname-mismatch"
    /// A refusal that none of the others names, like an unusable OCSP response; the verifier's own code says which. A
    /// verifier that gave no decision is ``TrustReading/unanswered(_:nativeCode:silence:)`` instead.
    case other

    /// Returns true if the left cause takes precedence.
    public static func < (left: TrustCause, right: TrustCause) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
