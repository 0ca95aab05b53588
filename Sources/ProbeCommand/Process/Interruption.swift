import Dispatch
import ProbePlatform
import Synchronization

/// The wish to exit that SIGINT, SIGTERM and SIGHUP express, as an event to wait for. From here on they do not kill the
/// process.
final class Interruption: Sendable {
    private let arrived: AsyncStream<Int32>
    // Written once, before the object is shared; Dispatch's sources may be used from any thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - signals: the signals that are a request to end.
    ///   - handle: called for each request with the first one's signal, since a second request does not change the exit
    ///     code, and how many there were by then; on a queue of its own, whatever keeps the tasks from running.
    init(
        of signals: [Int32] = [SIGINT, SIGTERM, SIGHUP],
        _ handle: @escaping @Sendable (_ signal: Int32, _ count: Int) -> Void = { _, _ in }
    ) {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        arrived = stream
        let queue = DispatchQueue(label: "probe.signals")
        let requests = Mutex(EndRequests())
        unsafe sources = signals.filter { $0 != SIGHUP || !Self.isIgnored($0) }.map { number in
            // The source only sees the signal if it does not kill the process.
            _ = ProbePlatform.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if let request = requests.withLock({ $0.request(of: number, at: .now) }) {
                    handle(request.signal, request.number)
                }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    /// True if the signal was to be ignored from the start, as nohup has it.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe Platform.handler(of: action) == unsafeBitCast(SIG_IGN, to: Int.self)
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
