/// A profile in some format.
public struct Exported: Hashable, Sendable {
    /// The file; text is UTF-8 and ends with a line break.
    public var bytes: [UInt8]
    /// What the format can't express.
    public var losses: [FormatLoss]

    /// A result of its parts.
    public init(bytes: [UInt8], losses: [FormatLoss]) {
        self.bytes = bytes
        self.losses = losses
    }
}
