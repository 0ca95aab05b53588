import ProbeKit
import ProbePlatform

/// Standard output and error: whole lines, and a quiet exit if the reader is gone.
enum Terminal {
    /// Receives the bytes for standard output and error, by descriptor.
    struct Gathering: Sendable {
        let take: @Sendable ([UInt8], CInt) -> Void
    }

    /// Captures a command's output within one process; nil writes it.
    @TaskLocal static var gathering: Gathering?

    /// Fills closed standard descriptors: otherwise the next socket would get the number, and our output with it. Using
    /// them fails as if they were still closed.
    static func keepStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is the closed one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes text and a line break to standard output. If the reader is gone, the process ends quietly.
    static func print(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Writes bytes as they are to standard output.
    static func print(bytes: [UInt8]) {
        write(bytes, to: STDOUT_FILENO)
    }

    /// Writes text and a line break to standard error.
    static func printError(_ text: String) {
        write(text + "\n", to: STDERR_FILENO)
    }

    /// Writes an input error on one line and returns the exit code for it.
    static func report(_ error: InputError) -> Int32 {
        // It quotes names and texts of files.
        printError("probe: \(PrintableText.escape("\(error)"))")
        return error.source.exitCode
    }

    /// True if colours are useful on standard output.
    static var wantsColour: Bool {
        wantsColour(ProcessInfo.processInfo.environment, isTerminal: gathering == nil && isatty(STDOUT_FILENO) == 1)
    }

    /// Returns true if colours are useful: the terminal supports them, unless the user decides otherwise. `NO_COLOR` (no-color.org) goes
    /// before `CLICOLOR_FORCE`, and that before all else.
    static func wantsColour(_ environment: [String: String], isTerminal: Bool) -> Bool {
        func isSet(_ name: String) -> Bool { !["", "0"].contains(environment[name] ?? "") }
        guard (environment["NO_COLOR"] ?? "").isEmpty else { return false }
        if isSet("CLICOLOR_FORCE") { return true }
        return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }

    /// The width of the terminal on standard output; nil if it is not one.
    static var columns: Int? {
        var size = winsize()
        guard gathering == nil, isatty(STDOUT_FILENO) == 1,
            unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20
        else { return nil }
        return Int(size.ws_col)
    }

    /// True if standard error is a terminal on which a line can be overwritten.
    static var canShowProgress: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Overwrites the line of progress on standard error, if possible; an empty text removes it.
    static func showProgress(_ text: String) {
        if canShowProgress { write("\r\u{1b}[K" + text, to: STDERR_FILENO) }
    }

    private static func write(_ text: String, to descriptor: CInt) { write(Array(text.utf8), to: descriptor) }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) {
        if let gathering { return gathering.take(bytes, descriptor) }
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            guard descriptor == STDOUT_FILENO else { return }
            // Unwritten output was not reported: a reader that went away ends us as SIGPIPE would, and a full disk is
            // an error of its own. Neither may look like a verdict.
            if error.code == EPIPE { Departure.now(128 + SIGPIPE) }
            printError("probe: the output can't be written: \(error.reason)")
            Departure.now(Outcome.internalError.exitCode)
        }
    }
}
