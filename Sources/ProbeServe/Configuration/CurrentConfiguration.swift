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
        /// The last attempt that ended.
        var attempt = 0
    }

    private let path: String
    private let policies: [String: any Policy]
    private let rules: TargetRules
    private let readIdentity: ServeConfiguration.IdentityReading?
    private let clock: ProbeClock
    private let fail: @Sendable (String) -> Void
    private let warn: @Sendable (String) -> Void
    private let current: Mutex<State>
    /// Counts the attempts that were begun.
    private let attempts = Mutex(0)

    /// Reads the file for the first time.
    ///
    /// - Parameters:
    ///   - fail: called with the reason whenever the file could not be read anew.
    ///   - warn: called with each warning about the modules' files, whenever they were read.
    init(
        _ path: String, policies: [String: any Policy], rules: TargetRules = TargetRules(),
        readIdentity: ServeConfiguration.IdentityReading?, clock: ProbeClock,
        fail: @escaping @Sendable (String) -> Void = { _ in }, warn: @escaping @Sendable (String) -> Void
    ) throws(InputError) {
        self.path = path
        self.policies = policies
        self.rules = rules
        self.readIdentity = readIdentity
        self.clock = clock
        self.fail = fail
        self.warn = warn
        let configuration = try ServeConfiguration.read(
            path, policies: policies, rules: rules, readIdentity: readIdentity)
        current = Mutex(State(configuration: configuration, readAt: clock.now))
        configuration.warnings.forEach(warn)
    }

    var state: State { current.withLock { $0 } }

    /// Reads the file anew. If it can't be read, what was read before goes on to count. Of attempts at the same time, the one
    /// that began last has the last word, and none waits for another, whose file may be a pipe that nobody writes to.
    func reload() throws(InputError) {
        do throws(InputError) {
            try readAnew()
        } catch {
            fail("the configuration was not read anew: \(error)")
            throw error
        }
    }

    private func readAnew() throws(InputError) {
        // Standard input is at its end: what was read from it stays as fresh as it can be.
        guard path != "-" else {
            throw InputError(
                "the configuration came from standard input, which can't be read again",
                remedy: "serve a file to have it read anew")
        }
        let attempt = attempts.withLock { count in
            count += 1
            return count
        }
        do throws(InputError) {
            let configuration = try ServeConfiguration.read(
                path, policies: policies, rules: rules, readIdentity: readIdentity)
            configuration.warnings.forEach(warn)
            end(attempt) { state in
                state.configuration = configuration
                state.isFresh = true
                state.readAt = clock.now
                state.generation += 1
            }
        } catch {
            end(attempt) { $0.isFresh = false }
            throw error
        }
    }

    /// Changes the state, unless an attempt that began later did.
    private func end(_ attempt: Int, _ change: (inout State) -> Void) {
        current.withLock { state in
            guard attempt > state.attempt else { return }
            state.attempt = attempt
            change(&state)
        }
    }
}
