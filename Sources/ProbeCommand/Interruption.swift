import Dispatch
import Glibc

/// The wish to end that SIGINT and SIGTERM are, as something to wait for. From here on the process does not die of them.
final class Interruption: Sendable {
    private let arrived: AsyncStream<Int32>
    // Written once, before anybody else has the object; Dispatch's sources may be used from any thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        arrived = stream
        unsafe sources = [SIGINT, SIGTERM].map { number in
            // The source only sees the signal when the process does not die of it.
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
