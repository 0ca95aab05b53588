import ProbeKit
import ProbeNet

/// The measure of this process's own lateness, for every command that waits for servers.
enum OwnLateness {
    /// The meter of the command that is running.
    @TaskLocal static var meter: any LatenessMeter = ProcessLateness.shared
}
