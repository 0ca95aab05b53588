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

/// Why a backend can't be used on this machine: its library is not there, or is another one than it needs.
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
    ///   - reason: the loader's words; nil, and there is no absence, if the library is open.
    ///   - package: the library's package on Debian.
    public init?(_ reason: String?, package: String) {
        guard let reason else { return nil }
        self.init(reason: reason, remedy: "install \(package), or the package of your system that has this library")
    }

    /// Reason and remedy.
    public var description: String { "\(reason); \(remedy)" }

    /// The failure of a handshake that was asked for all the same.
    public var handshakeFailure: HandshakeFailure { HandshakeFailure(.backendError, description) }

    /// The failure of a query that was asked for all the same.
    public var dnsFailure: DNSFailure { DNSFailure(.backendError, description) }
}
