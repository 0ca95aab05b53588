public import FoundationEssentials

/// Remembers when checks last succeeded, and nothing else: no failure is ever told to it (requirements 24, 26 and 27).
///
/// A cache that can't be read or written is one that remembers nothing: neither call throws, and no verdict depends on it.
/// Whether a success still counts is not for it to say, see ``CacheLifetime``. It may be used from many tasks at once.
public protocol SuccessCache: Sendable {
    /// When the check last succeeded; nil where that is not known.
    func lastSuccess(of key: CacheKey) async -> Date?

    /// Remembers a success.
    ///
    /// - Parameters:
    ///   - instant: from when on it counts.
    ///   - lifetime: for how long anybody will ask for it; afterwards it may be forgotten.
    func recordSuccess(of key: CacheKey, at instant: Date, for lifetime: CacheLifetime) async
}
