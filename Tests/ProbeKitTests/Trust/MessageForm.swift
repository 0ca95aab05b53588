import Testing

/// A message changed in one place, and the reason why it is not read then.
struct MessageForm<Message>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A part of the reason; nil if the message is read, empty for the parser's own.
    let problem: String?
    let change: @Sendable (inout Message) -> Void

    init(_ reason: String, _ problem: String?, _ change: @escaping @Sendable (inout Message) -> Void) {
        (testDescription, self.problem, self.change) = (reason, problem, change)
    }
}
