public import FoundationEssentials
import Synchronization

/// A cache that lasts as long as the process.
public final class MemoryCache: SuccessCache {
    private struct Success {
        let instant: Date
        let lifetime: CacheLifetime
    }

    private let successes = Mutex<[CacheKey: Success]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Returns the time of the check's last success; nil if unknown.
    public func lastSuccess(of key: CacheKey) async -> Date? {
        successes.withLock { $0[key]?.instant }
    }

    /// Remembers a success, and forgets those that count no more.
    public func recordSuccess(of key: CacheKey, at instant: Date, for lifetime: CacheLifetime) async {
        successes.withLock { successes in
            successes = successes.filter { $0.value.lifetime.covers($0.value.instant, at: instant) }
            successes[key] = Success(instant: instant, lifetime: lifetime)
        }
    }
}
