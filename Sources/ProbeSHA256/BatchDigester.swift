import CProbeSHA256
public import ProbeKit

/// SHA-256 of many messages at once: several of them share the processor's vector lanes, or the latency of its SHA
/// instructions.
public struct BatchDigester: Sendable {
    /// The variant for few messages, and the one for many.
    private let few: SHA256Variant
    private let many: SHA256Variant

    /// The number of messages that fills enough lanes for the widest variant to be the fastest.
    private static let manyMessages = 6

    /// Creates a digester that uses the fastest variant of this processor.
    public init() {
        few = SHA256Variant.first(of: [.shaExtensions])
        many = SHA256Variant.first(of: [.avx512, .shaExtensions, .avx2])
    }

    /// Creates a digester that uses one variant whatever the number of messages.
    ///
    /// - Throws: `InputError` when this processor can't run it.
    public init(_ variant: SHA256Variant) throws(InputError) {
        guard variant.isAvailable else {
            let available = SHA256Variant.allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
            throw InputError("this processor has no \(variant.rawValue)", remedy: "choose among \(available)")
        }
        (few, many) = (variant, variant)
    }

    /// Returns the variant that computes so many digests.
    public func variant(for count: Int) -> SHA256Variant { count < Self.manyMessages ? few : many }

    /// Computes digests of slices of `bytes`, in their order, without allocating.
    ///
    /// - Parameters:
    ///   - slices: the messages; they may overlap, be empty and differ in length, and must lie within `bytes`.
    ///   - bytes: the bytes that contain them.
    ///   - digests: the results: at least one element for each slice; others are unchanged.
    public func sha256(
        _ slices: Span<Range<Int>>, of bytes: Span<UInt8>, into digests: inout MutableSpan<PinDigest>
    ) {
        precondition(digests.count >= slices.count, "\(slices.count) digests do not fit into \(digests.count)")
        for index in slices.indices {
            let slice = slices[index]
            precondition(
                slice.lowerBound >= 0 && slice.upperBound <= bytes.count, "slice \(slice) of \(bytes.count) bytes")
        }
        let variant = variant(for: slices.count).raw
        // A range is its two bounds and a digest its four words, like the C types.
        unsafe slices.withUnsafeBufferPointer { slices in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe digests.withUnsafeMutableBufferPointer { digests in
                    unsafe cprobe_sha256(
                        variant, bytes.baseAddress, bytes.count,
                        UnsafeRawPointer(slices.baseAddress)?.assumingMemoryBound(to: cprobe_sha256_slice.self),
                        slices.count,
                        UnsafeMutableRawPointer(digests.baseAddress)?.assumingMemoryBound(to: cprobe_sha256_digest.self)
                    )
                }
            }
        }
    }

    /// Returns the digests of separate messages, in their order.
    public func sha256(_ messages: some Collection<[UInt8]>) -> [PinDigest] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(messages.reduce(0) { $0 + $1.count })
        let slices = messages.map { message in
            bytes += message
            return bytes.count - message.count..<bytes.count
        }
        var digests = [PinDigest](repeating: PinDigest(words: (0, 0, 0, 0)), count: slices.count)
        var span = digests.mutableSpan
        sha256(slices.span, of: bytes.span, into: &span)
        return digests
    }
}
