import CProbeOpenSSL
public import ProbeKit

// libcurl's backend has the same digester; a user of this library needs no further import for it.
@_exported public import struct ProbeOpenSSL.OpenSSLDigester

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
