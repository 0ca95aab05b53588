public import ProbeKit
import Synchronization

/// A meter that reports given times, one after the other; the last one repeats.
public final class GivenLateness: LatenessMeter {
    private let lost: Mutex<[Duration]>
    private let open = Mutex(0)

    /// The number of measurements that were begun and not ended.
    public var unended: Int { open.withLock { $0 } }

    /// - Parameter lost: at least one.
    public init(_ lost: [Duration]) { self.lost = Mutex(lost) }

    /// Returns nothing: the times are given, not measured.
    public func begin() -> [Duration] {
        open.withLock { $0 += 1 }
        return []
    }

    /// Returns the next of the times.
    public func end(_ start: [Duration]) -> Duration {
        open.withLock { $0 -= 1 }
        return lost.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}
