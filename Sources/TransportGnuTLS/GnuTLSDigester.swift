import CProbeGnuTLS
public import ProbeKit

/// SHA-256 by GnuTLS, which means nettle.
public struct GnuTLSDigester: Digester {
    /// GnuTLS, with the version of the library as loaded.
    public let identity = GnuTLSTransport.identity

    /// A digester.
    public init() {}

    /// SHA-256 of `bytes`, in one call and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let result = unsafe withUnsafeMutableBytes(of: &words) { words in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, words.baseAddress)
            }
        }
        // SHA-256 can't fail on memory we own, unless GnuTLS failed its own self-test; no digest may leave here then.
        precondition(result == 0, "GnuTLS can't compute SHA-256: \(GnuTLSErrorCode(rawValue: result).name)")
        return PinDigest(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
    }
}
