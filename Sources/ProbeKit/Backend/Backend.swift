/// A stack that one can choose by name: of TLS, DNS, hashing or signatures.
public protocol Backend: Sendable {
    /// The name, the library and its loaded version; the library is opened for it.
    var identity: BackendIdentity { get }

    /// The name on the command line, known without the library: ``BackendIdentity/name``.
    var name: String { get }

    /// The reason why it can't be used on this machine; nil if it can, or if nobody can know before it is asked. The library
    /// is opened for it.
    var absence: BackendAbsence? { get }
}

extension Backend {
    /// The name of the identity.
    public var name: String { identity.name }

    /// None: it came with the program.
    public var absence: BackendAbsence? { nil }
}

/// The reason why a backend can't be used on this machine: its library is not there, or is another one than it needs.
public struct BackendAbsence: Error, Hashable, Sendable, CustomStringConvertible {
    /// The loader's words, like `libgnutls.so.30: cannot open shared object file: No such file or directory`.
    public let reason: String
    /// The step that brings the library.
    public let remedy: String

    /// Creates an absence.
    public init(reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }

    /// Creates an absence of a library that the system's packages bring.
    ///
    /// - Parameters:
    ///   - reason: the loader's words, which begin with the file that is missing: the library itself, or one below it; nil, as
    ///     the absence is then, if the library is open.
    ///   - library: the library's file, like `libgnutls.so.30`.
    ///   - package: its package on Debian.
    public init?(_ reason: String?, of library: String, package: String) {
        guard let reason else { return nil }
        let file = reason.prefix { $0 != ":" && $0 != " " }.split(separator: "/").last.map(String.init) ?? library
        let remedy =
            if reason.contains(" lacks ") {
                "install a newer \(package)"
            } else if file == library {
                "install \(package), or the package of your system that has this library"
            } else {
                "install the package that has \(file), which \(library) needs"
            }
        self.init(reason: reason, remedy: remedy)
    }

    /// Reason and remedy.
    public var description: String { "\(reason); \(remedy)" }
}
