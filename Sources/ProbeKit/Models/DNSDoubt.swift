/// The reason why nothing is known about a name's records.
public enum DNSDoubt: Hashable, Sendable, CustomStringConvertible {
    /// No reply came.
    case unanswered(DNSFailure)
    /// The reply is unusable.
    case unusable(ReplyFault)

    /// The stable code, in kebab case: a ``DNSFailure/Code`` or a ``ReplyFault/Code``.
    public var code: String {
        switch self {
        case .unanswered(let failure): failure.code.rawValue
        case .unusable(let fault): fault.code.rawValue
        }
    }

    /// A one-sentence message.
    public var message: String {
        switch self {
        case .unanswered(let failure): failure.message
        case .unusable(let fault): fault.message
        }
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
