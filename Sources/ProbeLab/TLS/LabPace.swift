/// The speed of a slow server, and the places where its bytes are split: a number of bytes, then a pause.
public struct LabPace: Hashable, Sendable {
    /// The bytes sent before the first pause.
    public let first: Int
    /// The bytes sent at a time after that.
    public let bytes: Int
    /// The pause after them.
    public let pause: Duration

    /// Creates a speed of a number of bytes at a time, at least one, with a pause after each.
    ///
    /// - Parameter first: the bytes sent before the first pause, if it is another number.
    public init(first: Int? = nil, bytes: Int, pause: Duration) {
        self.first = max(first ?? bytes, 1)
        self.bytes = max(bytes, 1)
        self.pause = pause
    }
}
