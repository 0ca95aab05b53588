public import ProbePlatform
import Synchronization

/// Remembers when checks last succeeded, and nothing else: failures are never passed to it (requirements 24, 26 and
/// 27).
///
/// A cache that can't be read or written remembers nothing: neither call throws, and no verdict depends on it. It does
/// not decide whether a success still counts; see ``CacheLifetime``. It may be used from many tasks at once.
public protocol SuccessCache: Sendable {
    /// Returns the time of the check's last success; nil if unknown.
    func lastSuccess(of key: CacheKey) async -> Date?

    /// Remembers a success.
    ///
    /// - Parameters:
    ///   - instant: the time of the success.
    ///   - lifetime: the time for which it counts; afterwards it may be forgotten.
    func recordSuccess(of key: CacheKey, at instant: Date, for lifetime: CacheLifetime) async
}

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
