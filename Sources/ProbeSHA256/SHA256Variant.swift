import CProbeSHA256

/// A way to compute many digests at once; the variants differ only in speed.
public enum SHA256Variant: String, Sendable, Hashable, CaseIterable {
    /// C without assumptions about the processor.
    case portable
    /// The x86 SHA extensions, two messages interleaved.
    case shaExtensions = "sha-ni"
    /// Eight messages in the lanes of AVX2.
    case avx2
    /// Sixteen messages in the lanes of AVX-512.
    case avx512

    /// True if this processor, and this build, can run it.
    public var isAvailable: Bool { cprobe_sha256_is_available(raw) != 0 }

    /// Returns the first of those that this processor can run.
    static func first(of wanted: [SHA256Variant]) -> SHA256Variant { wanted.first(where: \.isAvailable) ?? .portable }

    var raw: cprobe_sha256_variant {
        switch self {
        case .portable: CPROBE_SHA256_PORTABLE
        case .shaExtensions: CPROBE_SHA256_SHA_EXTENSIONS
        case .avx2: CPROBE_SHA256_AVX2
        case .avx512: CPROBE_SHA256_AVX512
        }
    }
}
