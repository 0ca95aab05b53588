import Dispatch
import Glibc

/// The wish to exit that SIGINT and SIGTERM express, as an event to wait for. From here on they do not kill the
/// process.
final class Interruption: Sendable {
    private let arrived: AsyncStream<Int32>
    // Written once, before the object is shared; Dispatch's sources may be used from any thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        arrived = stream
        unsafe sources = [SIGINT, SIGTERM].map { number in
            // The source only sees the signal if it does not kill the process.
            _ = Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    deinit {
        for source in unsafe sources { source.cancel() }
    }

    /// The first signal; nil if the task was cancelled before one came.
    var signal: Int32? {
        get async {
            for await number in arrived { return number }
            return nil
        }
    }
}
