public import ProbeKit
import Synchronization

/// A meter that reports given times, one after the other; the last one repeats.
public final class GivenLateness: LatenessMeter {
    private let lost: Mutex<[Duration]>

    /// - Parameter lost: at least one.
    public init(_ lost: [Duration]) { self.lost = Mutex(lost) }

    /// Returns the operation's value, and the next of the times.
    public func measure<Value: Sendable>(
        _ operation: @Sendable () async -> Value
    ) async -> (value: Value, lost: Duration) {
        (await operation(), lost.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
    }
}
