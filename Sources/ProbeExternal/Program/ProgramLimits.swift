/// Limits on the memory and time that a program may use.
public enum ProgramLimits: Sendable {
    /// The longest line, in bytes.
    public static let lineBytes = 8 << 20
    /// The number of bytes of standard error kept.
    public static let errorBytes = 16 << 10
    /// The time limit for a program's hello.
    public static let hello = Duration.seconds(10)
    /// The time that a reply may take after its deadline.
    public static let grace = Duration.milliseconds(500)
    /// The time limit for a program to exit after its input has ended.
    public static let ending = Duration.seconds(2)
}
