/// Limits on the memory and time that a program may use.
package enum ProgramLimits {
    /// The longest line, in bytes.
    static let lineBytes = 8 << 20
    /// The longest sentence that is shown, in bytes of UTF-8.
    static let sentenceBytes = 1 << 10
    /// The longest name, version or code that is shown, in bytes of UTF-8.
    static let nameBytes = 200
    /// The largest number of capabilities.
    static let capabilities = 100
    /// The largest number of problems of a chain and of dropped replies that are kept, and of values of an HTTP field that are
    /// read; ``HTTPReport`` keeps fewer.
    static let entries = 100
    /// The largest number of intermediates that a program is asked about: libraries keep it in a number of one byte or four, and
    /// no path is as long.
    static let depth = 255
    /// The largest number of attempts of a DNS reply.
    static let attempts = 200
    /// The number of bytes of standard error kept.
    static let errorBytes = 16 << 10
    /// The time limit for a program's hello.
    package static let hello = Duration.seconds(10)
    /// The time after which a program that missed its first hello is started again.
    static let pause = Duration.seconds(30)
    /// The time that a reply may take after its deadline.
    static let grace = Duration.milliseconds(500)
    /// The time for which a program may wait for a processor meanwhile, which does not count.
    static let patience = Duration.seconds(10)
    /// The time between two looks at what a program waited.
    static let turn = Duration.milliseconds(250)
    /// The time limit for a program to exit after its input has ended.
    static let ending = Duration.seconds(2)
}
