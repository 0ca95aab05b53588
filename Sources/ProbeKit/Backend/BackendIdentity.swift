/// The identity of a backend: the name a user selects, the library behind it, and the loaded version.
public struct BackendIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name on the command line, like `openssl`; unique among backends of its kind.
    public let name: String
    /// The library's own name, like `OpenSSL`.
    public let library: String
    /// The version that the loaded library reports, not the one it was compiled against.
    public let version: String

    /// Creates an identity.
    public init(name: String, library: String, version: String) {
        self.name = name
        self.library = library
        self.version = version
    }

    /// `name (library version)`.
    public var description: String { "\(name) (\(library) \(version))" }
}

/// A SHA-256 implementation on the hash path; interchangeable, so that stacks can be compared on one path.
public protocol Digester: Backend {
    /// Returns SHA-256 of `bytes`, without allocating.
    func sha256(_ bytes: Span<UInt8>) -> PinDigest
}

/// The cost of a stack's own library called directly from C: the baseline for the hash path.
public protocol DigestFloor: Sendable {
    /// The digester of the same library.
    associatedtype Stack: Digester

    /// The stack being measured.
    var digester: Stack { get }

    /// Returns SHA-256 of `bytes`, `rounds` times over in C, by the library's own functions for a message.
    func sha256(_ bytes: Span<UInt8>, rounds: Int) -> PinDigest

    /// SHA-256 of a certificate's SubjectPublicKeyInfo by way of the library's own certificate parser, `rounds` times over
    /// in C. Nil when the library can't read the certificate.
    func keySHA256(certificate der: Span<UInt8>, rounds: Int) -> PinDigest?
}
