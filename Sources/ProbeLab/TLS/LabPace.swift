/// The speed of a slow server: a number of bytes, then a pause.
public struct LabPace: Hashable, Sendable {
    /// The bytes sent at a time.
    public let bytes: Int
    /// The pause after them.
    public let pause: Duration

    /// Creates a speed of a number of bytes at a time, at least one, with a pause after each.
    public init(bytes: Int, pause: Duration) {
        self.bytes = max(bytes, 1)
        self.pause = pause
    }
}
