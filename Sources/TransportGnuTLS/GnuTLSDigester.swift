import CProbeGnuTLS
public import ProbeKit

/// SHA-256 by GnuTLS, which means nettle.
public struct GnuTLSDigester: Digester {
    /// GnuTLS, with the loaded version of the library.
    public var identity: BackendIdentity { GnuTLSTransport.identity }

    /// Creates a digester without state.
    public init() {}

    /// Returns SHA-256 of `bytes`, in one call and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PinDigest.written(by: {
                unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, $0) == 0
            })
        }
    }
}
