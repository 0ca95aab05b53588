import ProbeExternal
import ProbePlatform

/// The end of this process without the libraries' own cleanup, which would break handshakes in progress and take from
/// threads that still run what they work with.
enum Departure {
    /// Ends a command that ran to its end: what a backend or policy of somebody's own printed is written first.
    static func afterAll(_ code: Int32) -> Never {
        _ = fflush(nil)
        now(code)
    }

    static func now(_ code: Int32) -> Never {
        ProgramGroups.end()
        OwnFolder.removeAll()
        _exit(code)
    }
}
