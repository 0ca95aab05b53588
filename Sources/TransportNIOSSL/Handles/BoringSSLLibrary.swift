import CNIOBoringSSL
import ProbeKit

/// The library itself, which is part of the program.
enum BoringSSLLibrary {
    /// The name of the transport, after the library that brings BoringSSL along.
    static let name = "nio"

    /// The transport's identity. BoringSSL has no releases; its API version is all that it reports.
    static var identity: BackendIdentity { identity(name) }

    /// Returns the identity of a backend that is this BoringSSL and nothing else.
    static func identity(_ name: String) -> BackendIdentity {
        BackendIdentity(name: name, library: "BoringSSL", version: "API \(BORINGSSL_API_VERSION)")
    }
}
