package import ProbeKit

/// A backend that is a program of its own.
package protocol ProgramBackend: Backend {
    /// The reason why it never reported what it is; nil if it did.
    var fault: ProgramFault? { get }
}
