import Foundation
import ProbeKit
import ServiceLifecycle
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
        /// The earliest attempt that sees all that was asked for in vain so far.
        var awaited = 0
    }

    private let path: String
    private let policies: [String: any Policy]
    private let rules: TargetRules
    private let readIdentity: ServeConfiguration.IdentityReading?
    private let clock: ProbeClock
    private let fail: @Sendable (String) -> Void
    private let warn: @Sendable (String) -> Void
    private let patience: Duration
    private let readings = SharedReadings()
    private let current: Mutex<State>
    /// Counts the attempts that were begun.
    private let attempts = Mutex(0)

    /// Reads the file for the first time.
    ///
    /// - Parameters:
    ///   - fail: called with the reason whenever the file could not be read anew.
    ///   - warn: called with each warning about the modules' files, whenever they were read.
    ///   - patience: the time for which a reading anew is waited for.
    init(
        _ path: String, policies: [String: any Policy], rules: TargetRules = TargetRules(),
        readIdentity: ServeConfiguration.IdentityReading?, clock: ProbeClock,
        fail: @escaping @Sendable (String) -> Void = { _ in }, warn: @escaping @Sendable (String) -> Void,
        patience: Duration = .seconds(30)
    ) throws(InputError) {
        self.path = path
        self.policies = policies
        self.rules = rules
        self.readIdentity = readIdentity
        self.clock = clock
        self.fail = fail
        self.warn = warn
        self.patience = patience
        let configuration = try ServeConfiguration.read(
            path, policies: policies, rules: rules, readIdentity: readIdentity)
        current = Mutex(State(configuration: configuration, readAt: clock.now))
        configuration.warnings.forEach(warn)
    }

    var state: State { current.withLock { $0 } }

    /// The number of callers of `reload` that wait.
    var waiting: Int { readings.waiting }

    /// Reads the file anew. If it can't be read, what was read before goes on to count. Of attempts at the same time, the one
    /// that began last has the last word.
    ///
    /// An attempt may hang, since the file or one that it names may be a pipe that nobody writes to: it goes on when the caller
    /// has stopped waiting, and counts once it ends.
    func reload() async throws(InputError) {
        // Standard input is at its end: what was read from it stays as fresh as it can be.
        guard path != "-" else {
            throw reported(
                InputError(
                    "the configuration came from standard input, which can't be read again",
                    remedy: "serve a file to have it read anew"))
        }
        let before = attempts.withLock { $0 }
        switch await readings.outcome(by: .after(patience), of: { () throws(InputError) in try self.readAnew() }) {
        case .read(let result): try result.get()
        case .unfinished: throw unfinished(after: before, hasBegun: true)
        case .notBegun: throw unfinished(after: before, hasBegun: false)
        }
    }

    /// Returns the reason why the wait for a reading ended before it did.
    ///
    /// - Parameter before: the last attempt that had begun when it was asked for.
    private func unfinished(after before: Int, hasBegun: Bool) -> InputError {
        guard !Task.isCancelled, !Task.isShuttingDownGracefully else {
            return InputError(
                "the server ends before \(path) was read", remedy: "start it again: the file is read then",
                source: .file)
        }
        let begun = attempts.withLock { $0 }
        current.withLock { state in
            // An attempt that has ended by now has set it already.
            guard state.attempt <= before else { return }
            state.isFresh = false
            state.awaited = max(state.awaited, hasBegun ? max(begun, before + 1) : begun + 1)
        }
        guard hasBegun else {
            return reported(
                InputError(
                    "\(path) was not read: earlier readings hang",
                    remedy: "write to the pipe or end the mount that they wait for, or start the server again",
                    source: .file))
        }
        return reported(
            InputError(
                "\(path), or a file that it names, was not read within \(Int(patience.inSeconds)) seconds",
                remedy: "look for a pipe that nobody writes to, or a mount that hangs; it counts once it is read",
                source: .file))
    }

    private func reported(_ error: InputError) -> InputError {
        fail("the configuration was not read anew: \(error)")
        return error
    }

    private func readAnew() throws(InputError) {
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
                // One that hung and ends late is older than what is awaited.
                state.isFresh = attempt >= state.awaited
                state.readAt = clock.now
                state.generation += 1
            }
        } catch {
            end(attempt) { $0.isFresh = false }
            throw reported(error)
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
