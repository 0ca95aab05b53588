/// The reason why bytes are not a certificate: the field, the offset and the rule that was broken.
public struct CertificateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that was broken.
    @nonexhaustive public enum Reason: String, Sendable, CaseIterable {
        case tooLarge = "larger than a certificate may be"
        case truncated = "ends before its content does"
        case unexpectedTag = "has another tag than this field has"
        case badLength = "has a length that is not DER"
        case trailingBytes = "is followed by further bytes"
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
