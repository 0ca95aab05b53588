import ProbeKit
import ProbeSHA256
import Testing
import TransportOpenSSL

/// Bytes to cut messages from, and their digests.
enum Messages {
    /// Bytes without a pattern, the same in every run.
    static let bytes: [UInt8] = {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        return (0..<100_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state &>> 56)
        }
    }()

    /// Returns a batch digester's results for slices of the bytes.
    static func digests(_ slices: [Range<Int>], by digester: BatchDigester) -> [PinDigest] {
        // One more than is asked for, to see that it is left alone.
        let untouched = PinDigest(words: (1, 2, 3, 4))
        var digests = [PinDigest](repeating: untouched, count: slices.count + 1)
        var output = digests.mutableSpan
        digester.sha256(slices.span, of: bytes.span, into: &output)
        #expect(digests.removeLast() == untouched)
        return digests
    }

    /// Returns OpenSSL's digests of them, by its own functions alone, independently of our padding.
    static func expected(_ slices: [Range<Int>]) -> [PinDigest] {
        slices.map { expected(Array(bytes[$0])) }
    }

    /// Returns the same of bytes of one's own.
    static func expected(_ message: [UInt8]) -> PinDigest {
        OpenSSLDigestFloor().sha256(message.span, rounds: 1)
    }
}
