import CProbeOpenSSL
public import ProbeKit
import ProbeSHA256

/// SHA-256 of OpenSSL.
public struct OpenSSLDigester: Digester {
    /// Creates a digester without state.
    public init() {}

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { .openSSL }

    /// Returns SHA-256 of `bytes`, on the stack and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe PinDigest.sha256(of: bytes) { start, startCount, end, endCount, words in
            unsafe cprobe_sha256_blocks(start, startCount, end, endCount, words) == 1
        }
    }
}
