import ProbeExternal
import ProbePlatform

/// The end of this process without the libraries' own cleanup, which would break handshakes in progress.
enum Departure {
    static func now(_ code: Int32) -> Never {
        ProgramGroups.end()
        OwnFolder.removeAll()
        _exit(code)
    }
}
