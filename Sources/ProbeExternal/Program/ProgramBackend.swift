package import ProbeKit

/// A backend that is a program of its own.
package protocol ProgramBackend: Backend {
    /// The reason why it never reported what it is; nil if it did.
    var fault: ProgramFault? { get }

    /// The faults that it was started anew after, in one sentence; nil if there were none. Requests that did not cause one are asked
    /// again, so that their answers do not show it.
    var losses: String? { get }

    /// Starts a program and reads its identity.
    ///
    /// - Throws: ``ProgramFault`` if it does not report the name it was found by.
    init(path: String, name: String) async throws(ProgramFault)

    /// Creates a backend for a program that was started and can't be used.
    init(unusable fault: ProgramFault, path: String, name: String)

    /// Creates a backend for a program that this machine can't start.
    init(absent absence: BackendAbsence, path: String, name: String)
}
