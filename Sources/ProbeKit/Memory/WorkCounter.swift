import Synchronization

/// Counts the work that must not be done twice, for the tests that hold this. Each test has a counter of its own, which
/// its child tasks share; a release counts nothing unless it is built with `COUNTED`.
package final class WorkCounter: Sendable {
    /// A kind of work.
    package enum Work: Hashable, Sendable {
        /// The X.509 library parses a certificate.
        case certificate([UInt8])
        /// The outer frame of a certificate is parsed.
        case certificateFrame([UInt8])
        /// The reference verifier judges a chain.
        case referenceVerdict
        /// The policies for a connection judge its evidence.
        case connectionVerdict
        /// The header and the question of a DNS message are parsed.
        case dnsOpening([UInt8])
        /// The rest of a DNS message is parsed.
        case dnsMessage([UInt8])
    }

    @TaskLocal private static var current: WorkCounter?

    private let counts = Mutex<[Work: Int]>([:])

    /// Creates a counter that has counted nothing.
    package init() {}

    /// Runs an operation, and counts the work that it and its child tasks do.
    package func count<Value: Sendable>(_ operation: () async throws -> Value) async rethrows -> Value {
        try await Self.$current.withValue(self, operation: operation)
    }

    /// Runs an operation that does not wait, likewise.
    package func count<Value>(_ operation: () throws -> Value) rethrows -> Value {
        try Self.$current.withValue(self, operation: operation)
    }

    /// Notes a piece of work for the test that counts it, if there is one.
    package static func note(_ work: @autoclosure () -> Work) {
        #if DEBUG || COUNTED
            guard let current else { return }
            let work = work()
            current.counts.withLock { $0[work, default: 0] += 1 }
        #endif
    }

    /// Returns how often a piece of work was done.
    package subscript(_ work: Work) -> Int { counts.withLock { $0[work, default: 0] } }
}
