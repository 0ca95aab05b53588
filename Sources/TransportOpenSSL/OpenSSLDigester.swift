import CProbeOpenSSL
public import ProbeKit

/// SHA-256 of OpenSSL.
public struct OpenSSLDigester: Digester {
    /// A digester without state.
    public init() {}

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { .openSSL }

    /// SHA-256 of `bytes`. OpenSSL can fail only for want of memory or of its default provider, and a digest that was not
    /// computed must not be compared with anything.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &digest) { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                let written = unsafe SHA256(
                    input.baseAddress, input.count, output.assumingMemoryBound(to: UInt8.self).baseAddress)
                precondition(unsafe written != nil, "OpenSSL has no SHA-256 to offer")
            }
        }
        return PinDigest(
            words: (
                UInt64(bigEndian: digest.0), UInt64(bigEndian: digest.1), UInt64(bigEndian: digest.2),
                UInt64(bigEndian: digest.3)
            ))
    }
}
