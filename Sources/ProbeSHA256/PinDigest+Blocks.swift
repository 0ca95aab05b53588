import CProbeSHA256
public import ProbeKit

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
