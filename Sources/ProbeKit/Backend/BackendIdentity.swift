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
