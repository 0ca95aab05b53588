import CProbeOpenSSL
public import ProbeKit

/// SHA-256 of OpenSSL.
public struct OpenSSLDigester: Digester {
    /// A digester without state.
    public init() {}

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { .openSSL }

    /// SHA-256 of `bytes`, on the stack and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PinDigest.written(by: { unsafe cprobe_sha256(bytes.baseAddress, bytes.count, $0) == 1 })
        }
    }
}
