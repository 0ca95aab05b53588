/// Bounds on what a program may make us hold or wait for.
public enum ProgramLimits: Sendable {
    /// The longest line, in bytes.
    public static let lineBytes = 8 << 20
    /// How much of standard error is kept, in bytes.
    public static let errorBytes = 16 << 10
    /// How long a program may take to say hello.
    public static let hello = Duration.seconds(10)
    /// How much later than its deadline a reply may come.
    public static let grace = Duration.milliseconds(500)
    /// How long a program may take to end when its input has.
    public static let ending = Duration.seconds(2)
}
