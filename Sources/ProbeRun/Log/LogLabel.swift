/// The labels of what is logged (requirement 76), to filter by.
public enum LogLabel: String, Sendable, CaseIterable {
    /// What each probe of a target came to.
    case pinning = "certificate-pinning"
    /// Waiting times and tries.
    case rateLimiter = "RateLimiter"
    /// What each question about a model list came to.
    case model = "dns-model"
    /// The watch's rounds and changes.
    case watch
}
