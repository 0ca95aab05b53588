import Crypto
public import ProbeKit

/// SHA-256 of swift-crypto, which on Linux is BoringSSL behind a context on the heap, for code without a backend; a
/// fast path brings its own.
public struct SwiftCryptoDigester: Digester {
    /// Creates a digester without state.
    public init() {}

    /// `swift-crypto`; the version is the package's, which is not available at run time.
    public var identity: BackendIdentity {
        BackendIdentity(name: "swift-crypto", library: "BoringSSL (swift-crypto)", version: "4")
    }

    /// Returns SHA-256 of `bytes`.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe bytes.withUnsafeBytes { unsafe PinDigest(SHA256.hash(data: $0)) }
    }
}
