import CProbeSHA256
public import ProbeKit

/// SHA-256 of many messages at once: several of them share the processor's vector lanes, or the latency of its SHA
/// instructions. A processor that has neither computes one after the other.
public struct BatchDigester: Sendable {
    /// The variant for few messages, and the one for many.
    private let few: SHA256Variant
    private let many: SHA256Variant
    /// Computes digests where there is nothing to share.
    private let single: (any Digester)?

    /// The number of messages that fills enough lanes for the widest variant to be the fastest.
    private static let manyMessages = 6

    /// Creates a digester that uses the fastest variant of this processor.
    ///
    /// - Parameter single: the digester of messages for which this processor has no variant that is faster: a library's own
    ///   is in assembler, and twice as fast as C. C without one.
    public init(single: (any Digester)? = nil) {
        self.init(single: single, on: \.isAvailable)
    }

    /// Creates a digester for a processor that has some of the variants.
    package init(single: (any Digester)?, on isAvailable: (SHA256Variant) -> Bool) {
        func first(of wanted: [SHA256Variant]) -> SHA256Variant { wanted.first(where: isAvailable) ?? .portable }
        few = first(of: [.shaExtensions, .armv8])
        many = first(of: [.avx512, .shaExtensions, .armv8, .avx2, .neon])
        self.single = single
    }

    /// Creates a digester that uses one variant whatever the number of messages.
    ///
    /// - Throws: `InputError` when this processor can't run it.
    public init(_ variant: SHA256Variant) throws(InputError) {
        guard variant.isAvailable else {
            let available = SHA256Variant.allCases.filter(\.isAvailable).map(\.rawValue).joined(separator: ", ")
            throw InputError("this processor has no \(variant.rawValue)", remedy: "choose among \(available)")
        }
        (few, many, single) = (variant, variant, nil)
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
        let variant = variant(for: slices.count)
        if variant == .portable, let single {
            for index in slices.indices { digests[index] = single.sha256(bytes.extracting(slices[index])) }
            return
        }
        // A range is its two bounds and a digest its four words, like the C types.
        unsafe slices.withUnsafeBufferPointer { slices in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe digests.withUnsafeMutableBufferPointer { digests in
                    unsafe cprobe_sha256(
                        variant.raw, bytes.baseAddress, bytes.count,
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
    /// The SHA2 instructions of ARMv8, two messages interleaved.
    case armv8
    /// Four messages in the lanes of NEON.
    case neon

    /// True if this processor, and this build, can run it.
    public var isAvailable: Bool { cprobe_sha256_is_available(raw) != 0 }

    var raw: cprobe_sha256_variant {
        switch self {
        case .portable: CPROBE_SHA256_PORTABLE
        case .shaExtensions: CPROBE_SHA256_SHA_EXTENSIONS
        case .avx2: CPROBE_SHA256_AVX2
        case .avx512: CPROBE_SHA256_AVX512
        case .armv8: CPROBE_SHA256_ARMV8
        case .neon: CPROBE_SHA256_NEON
        }
    }
}

extension PinDigest {
    /// Returns SHA-256 of a message by a library that is given whole blocks only, and whose state is read when it has
    /// taken them: a library that pads and writes the digest itself takes twice as long for the key of an Ed25519
    /// certificate.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - compress: digests so many bytes at the message's start, then so many bytes of its end, both multiples of 64, and
    ///     writes the state's eight words as four; false when it could not.
    @inlinable
    package static func sha256(
        of message: Span<UInt8>,
        compress: (
            _ start: UnsafePointer<UInt8>?, _ startCount: Int, _ end: UnsafePointer<UInt8>, _ endCount: Int,
            _ words: UnsafeMutablePointer<UInt64>
        ) -> Bool
    ) -> PinDigest {
        // 128 bytes of end and 32 of state; memory that is aligned to more than 16 would come from the heap.
        unsafe message.withUnsafeBufferPointer { message in
            unsafe withUnsafeTemporaryAllocation(byteCount: 160, alignment: 16) { memory in
                let end = unsafe memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
                let words = unsafe (memory.baseAddress.unsafelyUnwrapped + 128).assumingMemoryBound(to: UInt64.self)
                let endCount = unsafe writeEnd(of: message, to: end)
                // A library fails here only when it is broken, and a digest that was not computed must not be compared.
                guard unsafe compress(message.baseAddress, message.count & ~63, end, endCount, words) else {
                    preconditionFailure("there is no SHA-256 to be had")
                }
                return unsafe PinDigest(words: (words[0], words[1], words[2], words[3]))
            }
        }
    }

    @usableFromInline
    package static func writeEnd(of message: UnsafeBufferPointer<UInt8>, to end: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe cprobe_sha256_end(message.baseAddress, message.count, end)
    }
}
