import ProbeExternal
import ProbeKit
import ProbeRun

/// The programs of one kind, once each has said hello or failed to.
struct StartedPrograms<Backend: ProgramBackend>: Sendable {
    private struct Start: Sendable {
        let program: ProgramSearch.Found
        let backend: Backend
        /// The reason why it can't be used; nil where it can, and for one that this machine can't start.
        let fault: ProgramFault?

        init(_ program: ProgramSearch.Found) async {
            self.program = program
            if let absence = program.absence {
                (backend, fault) = (Backend(absent: absence, path: program.path, name: program.name), nil)
                return
            }
            do throws(ProgramFault) {
                backend = try await Backend(path: program.path, name: program.name)
                fault = nil
            } catch {
                backend = Backend(unusable: error, path: program.path, name: program.name)
                fault = error
            }
        }
    }

    private let starts: [Start]

    /// Starts them all at the same time: each may take as long as a hello may, and together they take no longer.
    init(_ programs: [ProgramSearch.Found]) async {
        starts = await Concurrently.map(programs) { await Start($0) }
    }

    /// All of them in their order; the probes of one that can't be used fail with the reason.
    var backends: [Backend] { starts.map(\.backend) }

    /// Those that can't be used, each with the reason.
    var faults: [(program: ProgramSearch.Found, fault: ProgramFault)] {
        starts.compactMap { start in start.fault.map { (program: start.program, fault: $0) } }
    }
}
