import CProbeBoringSSL
public import ProbeKit
import ProbeSHA256

/// SHA-256 of the BoringSSL inside NIOSSL.
///
/// swift-crypto has another copy of the same BoringSSL, but reaches it through a context on the heap.
public struct BoringSSLDigester: Digester {
    /// Creates a digester without state.
    public init() {}

    /// `boringssl`, as NIOSSL brings it.
    public var identity: BackendIdentity {
        BackendIdentity(name: "boringssl", library: BackendIdentity.nio.library, version: BackendIdentity.nio.version)
    }

    /// Returns SHA-256 of `bytes`, on the stack and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe PinDigest.sha256(of: bytes) { start, startCount, end, endCount, words in
            unsafe cprobe_boringssl_sha256_blocks(start, startCount, end, endCount, words)
            return true
        }
    }
}
