/// A receiver of lines: a file, a socket, a queue.
public protocol LineSink: Sendable {
    /// Takes lines that belong together, without their line breaks, after all that were given before.
    ///
    /// It returns at once, and nothing waits for a sink that is slow but the target whose lines they are. A scan calls it
    /// inside its own lock, so that it must not call ``ScanRun``.
    ///
    /// - Parameter done: to be called once when they are written, on any thread, also before this returns.
    func enqueue(_ lines: [String], done: @escaping @Sendable () -> Void)
}
