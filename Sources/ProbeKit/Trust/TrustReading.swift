/// One verifier's answer to a ``TrustQuestion``.
public struct TrustReading: Hashable, Sendable {
    /// One thing that is wrong with the chain.
    public struct Problem: Hashable, Sendable {
        /// Our name for it.
        public let cause: TrustCause
        /// The verifier's own code, whole, like `X509_V_ERR_CERT_HAS_EXPIRED`.
        public let nativeCode: String?
        /// The verifier's own words.
        public let message: String
        /// The position in the path where it was found, the leaf being 0; nil where the verifier does not say.
        public let depth: Int?

        /// A problem of its parts.
        public init(_ cause: TrustCause, _ message: String, nativeCode: String? = nil, depth: Int? = nil) {
            self.cause = cause
            self.nativeCode = nativeCode
            self.message = PrintableText.escape(message)
            self.depth = depth
        }
    }

    /// Everything the verifier found wrong; empty means accepted.
    public let problems: [Problem]
    /// The path from leaf to anchor as DER, where the chain was accepted and the verifier shows its path.
    public let path: [[UInt8]]?
    /// Whether the verifier, as its library's ordinary client uses it, judges a stapled OCSP response. Where it does not,
    /// what it accepts may be revoked.
    public private(set) var judgesRevocation = false

    /// The same answer of a verifier that judges a stapled OCSP response.
    public var judgingRevocation: TrustReading {
        var reading = self
        reading.judgesRevocation = true
        return reading
    }

    /// The answer "accepted".
    public static func accepted(path: [[UInt8]]?) -> TrustReading {
        TrustReading(problems: [], path: path)
    }

    /// The answer "refused", for at least one problem; the weightiest cause comes first.
    public static func refused(_ problems: [Problem]) -> TrustReading {
        precondition(!problems.isEmpty, "a refusal names its problem")
        return TrustReading(problems: problems.sorted { $0.cause < $1.cause }, path: nil)
    }

    private init(problems: [Problem], path: [[UInt8]]?) {
        self.problems = problems
        self.path = path
    }

    /// Whether the chain is trusted.
    public var isAccepted: Bool { problems.isEmpty }
    /// The weightiest cause; nil when accepted.
    public var cause: TrustCause? { problems.first?.cause }
}
