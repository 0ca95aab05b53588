package import ProbePlatform
import Synchronization

/// The process groups of the programs that run, so that none outlives this process: one that hangs does not notice the end of
/// its input, and what it started has another.
public enum ProgramGroups: Sendable {
    /// Ends them when this process exits, or is ended by a signal that it does not handle.
    ///
    /// A caller that handles SIGINT, SIGTERM or SIGHUP itself does so from then on, or before; one that leaves by `_exit` calls
    /// ``end()``.
    public static func endWithProcess() {
        guard isLeashed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
        // The handler must not be the first to touch the table.
        killAll()
        atexit { ProgramGroups.end() }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where isDefault(number) {
            _ = signal(number) { number in
                ProgramGroups.end()
                // Held back until this returns; then it does what it would have done.
                _ = signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Kills them, and all that are started from now on. It is async-signal-safe (POSIX.1-2024 section 2.4.3).
    public static func end() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        killAll()
    }

    private static func killAll() {
        for index in groups.indices {
            let group = groups[index].load(ordering: .sequentiallyConsistent)
            if group > 0 { kill(-group, SIGKILL) }
        }
    }

    /// Notes the group of a program that was started; one beyond the table's length is only asked to end, by the end of its input.
    package static func add(_ group: pid_t) {
        replace(0, with: group)
        if isEnding.load(ordering: .sequentiallyConsistent) { kill(-group, SIGKILL) }
    }

    /// Forgets the group of a program that has ended, which its caller does right after the reap: from then on the number may
    /// become another's.
    package static func remove(_ group: pid_t) { replace(group, with: 0) }

    /// More than programs are started for.
    private static let groups = InlineArray<256, Atomic<pid_t>> { _ in Atomic(0) }
    private static let isLeashed = Atomic(false)
    private static let isEnding = Atomic(false)

    private static func replace(_ old: pid_t, with new: pid_t) {
        for index in groups.indices
        where groups[index].compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent).exchanged {
            return
        }
    }

    private static func isDefault(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe Platform.handler(of: action) == unsafeBitCast(SIG_DFL, to: Int.self)
    }
}
