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
    public var identity: BackendIdentity { BoringSSLLibrary.identity("boringssl") }

    /// Returns SHA-256 of `bytes`, on the stack and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe PinDigest.sha256(of: bytes) { start, startCount, end, endCount, words in
            unsafe cprobe_boringssl_sha256_blocks(start, startCount, end, endCount, words)
            return true
        }
    }
}

/// BoringSSL's `SHA256`, and its `d2i_X509`, from C.
public struct BoringSSLDigestFloor: DigestFloor {
    /// The digester being measured.
    public let digester = BoringSSLDigester()

    /// Creates a floor without state.
    public init() {}

    /// Returns SHA-256 of `bytes`, `rounds` times over.
    public func sha256(_ bytes: Span<UInt8>, rounds: Int) -> PinDigest {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe PinDigest.written(by: {
                unsafe cprobe_boringssl_sha256_rounds(bytes.baseAddress, bytes.count, rounds, $0) == 1
            })
        }
    }

    /// Returns SHA-256 of the output of `i2d_X509_PUBKEY`, `rounds` times over.
    public func keySHA256(certificate der: Span<UInt8>, rounds: Int) -> PinDigest? {
        unsafe der.withUnsafeBufferPointer { der in
            unsafe PinDigest(writing: {
                unsafe cprobe_boringssl_key_sha256_rounds(der.baseAddress, der.count, rounds, $0) == 1
            })
        }
    }
}
