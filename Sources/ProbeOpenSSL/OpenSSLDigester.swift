import CProbeOpenSSL
public import ProbeKit
import ProbeSHA256

/// SHA-256 of OpenSSL; the library `TransportOpenSSL` exports it.
public struct OpenSSLDigester: Digester {
    /// Creates a digester without state.
    public init() {}

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { OpenSSLLibrary.identity }
    /// `openssl`.
    public var name: String { OpenSSLLibrary.name }
    /// The absence of libssl or libcrypto; a digest asked for all the same ends the program.
    public var absence: BackendAbsence? { OpenSSLLibrary.absence }

    /// Returns SHA-256 of `bytes`, on the stack and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe PinDigest.sha256(of: bytes) { start, startCount, end, endCount, words in
            unsafe cprobe_sha256_blocks(start, startCount, end, endCount, words) == 1
        }
    }
}
