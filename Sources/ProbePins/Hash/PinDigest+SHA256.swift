public import Crypto
public import ProbeKit

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
