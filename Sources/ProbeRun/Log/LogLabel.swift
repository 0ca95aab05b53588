/// The labels of log messages (requirement 76), for filtering.
public enum LogLabel: String, Sendable, CaseIterable {
    /// The result of each probe of a target.
    case pinning = "certificate-pinning"
    /// Waiting times and tries.
    case rateLimiter = "RateLimiter"
    /// The result of each model-list query.
    case model = "dns-model"
    /// The watch's rounds and changes.
    case watch
}
