/// A CMS SignedData as data: its content, its signers, and its faults (RFC 5652 section 5).
public struct LabCMSRecipe: Sendable {
    /// The digest of the content.
    public enum Digest: String, Hashable, Sendable, CaseIterable {
        /// Weak on purpose.
        case md5
        /// Weak on purpose.
        case sha1
        /// SHA-256.
        case sha256
        /// SHA-384.
        case sha384
        /// SHA-512.
        case sha512
    }

    /// The data signed beside the content.
    public enum Attributes: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the signature is over the content itself.
        case none
        /// Content type and message digest.
        case standard
        /// A message digest alone.
        case withoutContentType = "without-content-type"
        /// A content type alone.
        case withoutMessageDigest = "without-message-digest"
        /// Content type, and the digest of other content.
        case otherMessageDigest = "other-message-digest"
        /// Another content type than the message's, and the message digest.
        case otherContentType = "other-content-type"
        /// The message digest as two values of one attribute.
        case twoMessageDigests = "two-message-digests"
        /// Two attributes that are both message digests, the second of other content.
        case messageDigestTwice = "message-digest-twice"
        /// Content type and message digest in the wrong order.
        case unsorted
    }

    /// One signature of the message.
    public struct Signer: Sendable {
        /// The certificate it is made with.
        public var certificate: LabCertificateRecipe
        /// The digest of the content.
        public var digest = Digest.sha256
        /// The algorithm; nil takes the one of the key and the digest.
        public var signature: LabSignature?
        /// The data signed beside the content.
        public var attributes = Attributes.standard
        /// True if the certificate is identified by its key identifier instead of issuer and serial number.
        public var isNamedByKey = false
        /// True if one bit of the signature is flipped.
        public var breaksSignature = false

        /// Creates a signature with a certificate for `signer.lab.test` and a P-256 key, modified by `change`.
        public init(_ label: String = "signer", change: (inout Signer) -> Void = { _ in }) {
            certificate = .signer(label)
            change(&self)
        }
    }

    /// The signatures.
    public var signers: [Signer]
    /// The bytes that are signed.
    public var content = Array("a manifest of pins\n".utf8)
    /// The content in the message; nil if it is detached.
    public var attachedContent: [UInt8]?
    /// The object identifier of the content's type.
    public var contentType: [UInt] = LabCMSRecipe.data
    /// True if the signers' certificates are in the message.
    public var hasCertificates = true
    /// True if the message contains the CAs between them and their roots.
    public var hasIntermediates = true
    /// CAs whose certificates are in the message too.
    public var furtherAuthorities: [LabAuthority] = []
    /// True for PEM, false for DER.
    public var isPEM = false
    /// The bytes after the message.
    public var trailer: [UInt8] = []

    /// id-data.
    public static let data: [UInt] = [1, 2, 840, 113549, 1, 7, 1]

    /// Creates a detached message with one signature, modified by `change`.
    public init(_ label: String = "signer", change: (inout LabCMSRecipe) -> Void = { _ in }) {
        signers = [Signer(label)]
        change(&self)
    }
}

extension LabCertificateRecipe {
    /// Returns a certificate for signing content, below the usual intermediate.
    ///
    /// - Parameters:
    ///   - label: distinguishes keys.
    ///   - change: the modification.
    public static func signer(
        _ label: String, issuer: LabAuthority? = .intermediate, change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) -> LabCertificateRecipe {
        .leaf("cms-\(label)", issuer: issuer) {
            $0.commonName = "signer.lab.test"
            $0.dnsNames = []
            $0.purposes = nil
            change(&$0)
        }
    }
}
