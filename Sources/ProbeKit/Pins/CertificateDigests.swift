/// The three digests of one certificate that pins are compared with.
public struct CertificateDigests: Hashable, Sendable {
    /// SHA-256 of the whole certificate.
    public let cert: PinDigest
    /// SHA-256 of its SubjectPublicKeyInfo.
    public let spki: PinDigest
    /// SHA-256 of the key inside that.
    public let rawKey: PinDigest

    /// Creates digests of a certificate that need not exist, for forecasts.
    public init(cert: PinDigest, spki: PinDigest, rawKey: PinDigest) {
        self.cert = cert
        self.spki = spki
        self.rawKey = rawKey
    }

    /// The digest that a pin of a kind is compared with.
    public subscript(kind: PinKind) -> PinDigest {
        switch kind {
        case .cert: cert
        case .spki: spki
        case .rawkey: rawKey
        }
    }
}

/// The reason why bytes are not a certificate: the field, the offset and the rule that was broken.
public struct CertificateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that was broken.
    @nonexhaustive public enum Reason: String, Sendable, CaseIterable {
        /// More bytes than are read of a certificate or a key.
        case tooLarge = "larger than a certificate may be"
        /// The bytes, or the field around it, end before its content does.
        case truncated = "ends before its content does"
        /// Another tag than RFC 5280 section 4.1 has at this place.
        case unexpectedTag = "has another tag than this field has"
        /// A length that is indefinite, not in its shortest form, or of more than three bytes (X.690 section 10.1).
        case badLength = "has a length that is not DER"
        /// Bytes after the last field.
        case trailingBytes = "is followed by further bytes"
        /// A key's BIT STRING that does not end with a whole byte (X.690 section 8.6.2).
        case unusedBits = "has unused bits, which no key has"
    }

    /// The rule that was broken.
    public let reason: Reason
    /// The field's name in RFC 5280 section 4.1.
    public let field: String
    /// The offset of the fault in the bytes.
    public let offset: Int

    @inline(never)
    package init(_ reason: Reason, at field: StaticString, offset: Int) {
        self.reason = reason
        self.field = "\(field)"
        self.offset = offset
    }

    /// One sentence naming field, rule and offset.
    public var description: String { "\(field) \(reason.rawValue) (at byte \(offset))" }
}
