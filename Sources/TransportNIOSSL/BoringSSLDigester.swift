import CNIOBoringSSL
public import ProbeKit

/// SHA-256 of the BoringSSL inside NIOSSL, in one call.
///
/// swift-crypto has another copy of the same BoringSSL, but reaches it through a context on the heap.
public struct BoringSSLDigester: Digester {
    /// A digester without state.
    public init() {}

    /// `boringssl`, as NIOSSL brings it.
    public var identity: BackendIdentity {
        BackendIdentity(name: "boringssl", library: BackendIdentity.nio.library, version: BackendIdentity.nio.version)
    }

    /// SHA-256 of `bytes`, on the stack and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe PinDigest.written(by: { unsafe SHA256(bytes.baseAddress, bytes.count, $0) != nil })
        }
    }
}
