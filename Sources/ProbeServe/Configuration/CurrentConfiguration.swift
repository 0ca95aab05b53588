import Foundation
import ProbeKit
import Synchronization

/// The configuration that counts: the last one that could be read.
final class CurrentConfiguration: Sendable {
    /// The configuration, and how the last attempt to read it anew ended.
    struct State: Sendable {
        var configuration: ServeConfiguration
        var isFresh = true
        var readAt: Date
        /// Counts the times that it was read anew.
        var generation = 0
    }

    private let path: String
    private let policies: [String: any Policy]
    private let readIdentity: ServeConfiguration.IdentityReading?
    private let clock: ProbeClock
    private let current: Mutex<State>
    /// Held while the file is read: of two attempts the one that began later has the last word.
    private let reading = Mutex(())

    /// Reads the file for the first time.
    init(
        _ path: String, policies: [String: any Policy], readIdentity: ServeConfiguration.IdentityReading?,
        clock: ProbeClock
    ) throws(InputError) {
        self.path = path
        self.policies = policies
        self.readIdentity = readIdentity
        self.clock = clock
        current = Mutex(
            State(
                configuration: try ServeConfiguration.read(path, policies: policies, readIdentity: readIdentity),
                readAt: clock.now))
    }

    var state: State { current.withLock { $0 } }

    /// Reads the file anew. If it can't be read, what was read before goes on to count.
    func reload() throws(InputError) {
        try reading.withLock { _ throws(InputError) in
            do throws(InputError) {
                let configuration = try ServeConfiguration.read(path, policies: policies, readIdentity: readIdentity)
                current.withLock {
                    $0 = State(configuration: configuration, readAt: clock.now, generation: $0.generation + 1)
                }
            } catch {
                current.withLock { $0.isFresh = false }
                throw error
            }
        }
    }
}
