package import ProbeKit

/// The failures of a wait that ended without a reply.
extension DNSFailure {
    /// At the deadline.
    package static let late = DNSFailure(.timeout, "no reply came in time")
    /// With the answer to another attempt at the same question.
    package static let overtaken = DNSFailure(.timeout, "a reply to another attempt came first")
    /// With the task.
    package static let cancelled = DNSFailure(.backendError, "the query was cancelled")
}
