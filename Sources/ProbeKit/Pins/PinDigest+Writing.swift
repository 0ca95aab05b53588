extension PinDigest {
    /// Returns the digest whose 32 bytes `body` writes; nil if it reports failure.
    @inlinable
    package init?(writing body: (UnsafeMutablePointer<UInt8>) -> Bool) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let isWritten = unsafe withUnsafeMutableBytes(of: &words) { words in
            // The tuple is never empty, so that there is an address.
            unsafe words.assumingMemoryBound(to: UInt8.self).baseAddress.map { unsafe body($0) } ?? false
        }
        guard isWritten else { return nil }
        self.init(words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
    }

    /// The digest whose 32 bytes `body` writes. A library fails here only when it is broken, and a digest that was not
    /// computed must not be compared with anything.
    @inlinable
    package static func written(by body: (UnsafeMutablePointer<UInt8>) -> Bool) -> PinDigest {
        guard let digest = unsafe PinDigest(writing: body) else { preconditionFailure("there is no SHA-256 to be had") }
        return digest
    }
}
