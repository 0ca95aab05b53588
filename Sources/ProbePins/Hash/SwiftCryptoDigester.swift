public import Crypto
public import ProbeKit

/// SHA-256 of swift-crypto, which on Linux is BoringSSL behind a context on the heap, for code without a backend; a
/// fast path brings its own.
public struct SwiftCryptoDigester: Digester {
    /// Creates a digester without state.
    public init() {}

    /// `swift-crypto`; the version is the package's, which is not available at run time.
    public var identity: BackendIdentity {
        BackendIdentity(name: "swift-crypto", library: "BoringSSL (swift-crypto)", version: "4")
    }

    /// Returns SHA-256 of `bytes`.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe bytes.withUnsafeBytes { unsafe PinDigest(SHA256.hash(data: $0)) }
    }
}

extension PinDigest {
    /// Creates a digest from swift-crypto's.
    public init(_ digest: SHA256.Digest) {
        let words = unsafe digest.withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt64 {
                unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
        self.init(words: words)
    }

    /// Returns SHA-256 of `bytes`.
    public static func sha256(of bytes: some Sequence<UInt8>) -> PinDigest {
        PinDigest(SHA256.hash(data: Array(bytes)))
    }
}
