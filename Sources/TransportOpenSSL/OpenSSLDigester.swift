import CProbeOpenSSL
public import ProbeKit
import ProbeSHA256

/// SHA-256 of OpenSSL.
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

/// OpenSSL's `SHA256_Init`, `_Update` and `_Final`, and its `d2i_X509`, from C.
public struct OpenSSLDigestFloor: DigestFloor {
    /// The digester being measured.
    public let digester = OpenSSLDigester()

    /// Creates a floor without state.
    public init() {}

    /// Returns SHA-256 of `bytes`, `rounds` times over.
    public func sha256(_ bytes: Span<UInt8>, rounds: Int) -> PinDigest {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PinDigest.written(by: {
                unsafe cprobe_sha256_rounds(bytes.baseAddress, bytes.count, rounds, $0) == 1
            })
        }
    }

    /// Returns SHA-256 of the output of `i2d_X509_PUBKEY`, `rounds` times over.
    public func keySHA256(certificate der: Span<UInt8>, rounds: Int) -> PinDigest? {
        unsafe der.withUnsafeBufferPointer { der in
            unsafe PinDigest(writing: { unsafe cprobe_key_sha256_rounds(der.baseAddress, der.count, rounds, $0) == 1 })
        }
    }
}
