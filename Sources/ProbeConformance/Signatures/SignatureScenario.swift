public import ProbeKit
public import ProbeLab

/// One promise about validating a signature over content, as data: a message, its trusted signers, and the expected
/// result.
///
/// The promise holds for every validator alike; known differences are written beside it.
public struct SignatureScenario: Sendable, Identifiable, CustomStringConvertible {
    /// The bytes given as the signature.
    public enum Message: Sendable {
        /// A message of the lab.
        case signed(LabCMSRecipe)
        /// The signature of a message with signed attributes, over those attributes as if they were content without any.
        case confused(LabCMSRecipe)
        /// A message of the lab without some bytes at its end.
        case truncated(LabCMSRecipe, by: Int)
        /// These bytes.
        case bytes([UInt8])
    }

    /// A certificate that a trusted signer's chain may end in.
    public enum Anchor: Hashable, Sendable {
        /// An authority's.
        case authority(LabAuthority)
        /// The signing certificate itself.
        case signer
        /// Bytes that are not a certificate.
        case junk
    }

    /// The form in which a key identifier is given.
    public enum Identifier: Hashable, Sendable {
        /// The certificate's own.
        case right
        /// The same with the DER header of an OCTET STRING in front.
        case headed
        /// Another key's.
        case wrong
        /// The right one without its last byte.
        case truncated
    }

    /// A trusted signer.
    public struct Trusted: Hashable, Sendable {
        /// The name for reports.
        public var name = "lab"
        /// The possible ends of the chain.
        public var anchors: [Anchor] = [.authority(.root)]
        /// The common name of the signing certificate.
        public var commonName: String?
        /// The signing certificate's authority key identifier.
        public var authorityKey: Identifier?
        /// The first anchor's subject key identifier.
        public var subjectKey: Identifier?
        /// True if the first anchor's serial number is given correctly; nil if it is not given.
        public var serialIsRight: Bool?

        /// Creates a signer with the lab's root and nothing else to check, modified by `change`.
        public init(change: (inout Trusted) -> Void = { _ in }) {
            change(&self)
        }
    }

    /// A known and permitted difference of one validator.
    public struct Deviation: Hashable, Sendable {
        /// The cause it refuses for instead; nil if it finds the signature valid.
        public let cause: SignatureProblem.Cause?
        /// The stack's different behaviour.
        public let reason: String
    }

    /// Stable, with slashes: `signature/content/altered`.
    public let id: String
    /// The promise.
    public let sentence: String
    /// The promise's source: an RFC section, a gotcha of the seed, or a decision of ours, named as such.
    public let source: String
    /// The numbered behaviours of the seeds that it shows.
    public let requirements: [Int]
    /// The bytes given as the signature.
    public let message: Message
    /// The bytes given as the content; nil for the signed content.
    public var content: [UInt8]?
    /// The trusted signers.
    public var trusted = [Trusted()]
    /// The instant of the question, in seconds from the PKI's epoch.
    public var instant = 0
    /// The reason why the signature is refused; nil if it is valid.
    public let expected: SignatureProblem.Cause?
    /// The name of the trusted signer that a valid one is attributed to.
    public var signer = "lab"
    /// The validators that are known to differ, by the name in their identity.
    public var deviations: [String: Deviation] = [:]

    /// The id and the sentence.
    public var description: String { "\(id): \(sentence)" }

    init(
        _ id: String, _ sentence: String, source: String, _ requirements: [Int], _ message: Message,
        _ expected: SignatureProblem.Cause?
    ) {
        self.id = "signature/" + id
        self.sentence = sentence
        self.source = source
        self.requirements = requirements
        self.message = message
        self.expected = expected
    }

    /// Creates a promise about a message that differs from the ordinary one by `change`.
    init(
        _ id: String, _ sentence: String, source: String, _ requirements: [Int], _ expected: SignatureProblem.Cause?,
        change: (inout LabCMSRecipe) -> Void = { _ in }
    ) {
        self.init(id, sentence, source: source, requirements, .signed(LabCMSRecipe(id, change: change)), expected)
    }

    func with(_ change: (inout SignatureScenario) -> Void) -> SignatureScenario {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns the promise for one trusted signer who differs from the lab's root by `change`.
    func trusting(_ change: (inout Trusted) -> Void) -> SignatureScenario {
        with { $0.trusted = [Trusted(change: change)] }
    }

    /// Returns the result expected of a validator with this name.
    func expectedCause(of validator: String) -> SignatureProblem.Cause? {
        deviations[validator].map(\.cause) ?? expected
    }
}
