/// One fault of a signature.
public struct SignatureProblem: Error, Hashable, Sendable {
    /// The causes: a closed set, whose raw values never change meaning.
    ///
    /// The order of the cases is the order of precedence: if several signers were tried, the first one is reported as
    /// the cause, and all are listed.
    @nonexhaustive public enum Cause: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
        /// The signature is empty.
        case empty
        /// No signer is trusted, or none of the trusted signers' certificates can be read.
        case noTrustedSigner = "no-trusted-signer"
        /// Larger than any signature needs to be, or too expensive to verify.
        case tooComplex = "too-complex"
        /// Not a CMS SignedData in DER, or one that breaks RFC 5652.
        case malformed
        /// The message contains no signature.
        case noSigner = "no-signer"
        /// The message has several signatures; exactly one is accepted.
        case severalSigners = "several-signers"
        /// A digest that is no longer secure: MD5, SHA-1.
        case weakDigest = "weak-digest"
        /// A key that is too short, or on a curve that is not accepted.
        case weakKey = "weak-key"
        /// An algorithm or a parameter of one that not every stack can verify, or content that is empty.
        case unsupported
        /// Without signed attributes, content that parses as some: it may be another message's signature.
        case ambiguousContent = "ambiguous-content"
        /// The certificate that the signature names is not in the message.
        case noCertificate = "no-certificate"
        /// The signature is over other content.
        case contentMismatch = "content-mismatch"
        /// The signature was not made with the certificate's key.
        case badSignature = "bad-signature"
        /// Two parsers of one message disagree.
        case readingsDisagree = "readings-disagree"
        /// The stack and the reference verifier disagree on the signer's certificate.
        case stacksDisagree = "stacks-disagree"
        /// The certificate is not for signing content.
        case wrongPurpose = "wrong-purpose"
        /// A certificate is no longer valid at the instant.
        case expired
        /// A certificate is not valid yet at the instant.
        case notYetValid = "not-yet-valid"
        /// A trusted signer's certificate, but not the name, key identifier or serial number it has to have.
        case signerConstraint = "signer-constraint"
        /// The certificate does not lead to a trusted signer's.
        case untrustedSigner = "untrusted-signer"
        /// The validator itself failed.
        case other

        /// Returns true if the left cause takes precedence.
        public static func < (left: Cause, right: Cause) -> Bool { left.rank < right.rank }

        /// The outcome of the problem.
        public var outcome: Outcome {
            switch self {
            case .readingsDisagree: .readingsDisagree
            case .stacksDisagree: .stacksDisagree
            case .other: .internalError
            default: .signatureInvalid
            }
        }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    /// The problem as a finding.
    public var finding: Finding {
        let native = nativeCode.map { " (\($0))" } ?? ""
        return .error(
            cause.outcome, code: cause.rawValue, stage: .signature,
            (signer.map { "signer '\($0)': " } ?? "") + message + native, fix: fix)
    }

    /// Our name for it.
    public let cause: Cause
    /// A one-sentence message.
    public let message: String
    /// The validator's own code, complete, if it has one.
    public let nativeCode: String?
    /// The trusted signer that was tried; nil if it does not depend on one.
    public let signer: String?

    /// Creates a problem.
    public init(_ cause: Cause, _ message: String, nativeCode: String? = nil, signer: String? = nil) {
        self.cause = cause
        self.message = PrintableText.escape(message)
        self.nativeCode = nativeCode
        self.signer = signer.map(PrintableText.escape)
    }

    /// The suggested fix.
    public var fix: Fix {
        switch cause {
        case .empty: "give the detached signature, DER or PEM"
        case .noTrustedSigner: "name a trusted signer with a certificate that can be read"
        case .tooComplex: "sign with the signer's certificate and its issuers alone in the message"
        case .malformed: "write it as openssl cms -sign -binary -outform DER does, without -stream"
        case .noSigner, .severalSigners: "sign exactly once"
        case .weakDigest: "sign with SHA-256 or stronger, as openssl cms -sign -md sha256 does"
        case .weakKey: "sign with RSA of 2048 bits or more, P-256, P-384 or P-521"
        case .unsupported:
            "sign content that is not empty, with RSA or ECDSA; RSASSA-PSS takes -md sha256 -keyopt rsa_pss_saltlen:digest"
        case .ambiguousContent: "sign with signed attributes: leave -noattr out"
        case .noCertificate: "leave the signer's certificate in the message: leave -nocerts out"
        case .contentMismatch, .badSignature: "give the content exactly as it was signed, and sign it with -binary"
        case .readingsDisagree, .stacksDisagree: "trust nothing until you know which reading is right"
        case .wrongPurpose: "sign with a certificate whose key usage allows digital signatures"
        case .expired: "sign with a certificate that is valid, or \(.judgeAtSigning)"
        case .notYetValid: "wait until the certificate is valid, or correct the clock"
        case .signerConstraint: "correct what the signer's entry demands, or sign with the certificate it means"
        case .untrustedSigner:
            "trust the signer's certificate authority in an entry of its own, or sign with another certificate"
        case .other: "report it"
        }
    }
}
