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

extension TrustAnchors {
    private struct Digests {
        let certificates: PinDigest
        let store: PinDigest

        init(_ anchors: TrustAnchors) {
            let digests = Set(anchors.certificates.map { PinDigest.sha256(of: $0).hex }).sorted()
            certificates = PinDigest.sha256(of: digests.joined().utf8)
            let lists = Set(anchors.revocationLists.map { PinDigest.sha256(of: $0).hex }).sorted()
            store =
                lists.isEmpty
                ? certificates : PinDigest.sha256(of: ([certificates.hex] + lists).joined().utf8)
        }
    }

    /// Every result names its anchors by their digest, and there are few sets of them.
    private static let known = BoundedMemory<TrustAnchors, Digests>(limit: 32)

    private var digests: Digests { Self.known.value(for: self) { Digests(self) } }

    /// SHA-256 over the certificates' own SHA-256 digests in ascending order: the same set has the same digest, whatever
    /// its order.
    public var digest: PinDigest { digests.certificates }

    /// The same over certificates and revocation lists. Without lists it is ``digest``.
    public var storeDigest: PinDigest { digests.store }
}
