/// The input of policies: the facts about one target through one transport and one resolver.
public struct Evidence: Sendable {
    /// The TLS side; nil if only DNS was asked.
    public let connection: ConnectionEvidence?
    /// The DNS side; nil if no model is to be checked.
    public let model: ModelEvidence?

    /// Creates evidence of both sides.
    public init(connection: ConnectionEvidence?, model: ModelEvidence?) {
        self.connection = connection
        self.model = model
    }
}
