/// A SHA-256 digest as a value of 32 bytes that lives on the stack.
///
/// Text is used only for input and output: ``hex`` and ``base64``.
public struct PinDigest: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The 32 bytes as big-endian words, the first one first.
    @usableFromInline
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a digest of exactly 32 bytes; nil for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var iterator = bytes.makeIterator()
        func word() -> UInt64 { (0..<8).reduce(0) { value, _ in value << 8 | UInt64(iterator.next() ?? 0) } }
        words = (word(), word(), word(), word())
    }

    /// Creates a digest of four big-endian words.
    @inlinable
    public init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// The digest's 32 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        func append(_ word: UInt64) {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        append(words.0)
        append(words.1)
        append(words.2)
        append(words.3)
        return bytes
    }

    /// 64 lowercase hexadecimal digits.
    public var hex: String { Hex.encode(bytes) }
    /// 44 characters of standard base64.
    public var base64: String { Base64.encode(bytes) }
    /// Uppercase hexadecimal pairs with colons, 95 characters (requirement 2).
    public var colonHex: String { bytes.map { Hex.encode([$0]).uppercased() }.joined(separator: ":") }
    /// The hexadecimal form.
    public var description: String { hex }

    /// Returns true if all four words are equal.
    @inlinable
    public static func == (left: PinDigest, right: PinDigest) -> Bool { left.words == right.words }

    /// Hashes the first word: the digest is uniform already.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}

extension PinDigest: Codable {
    /// Reads the hexadecimal form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = Hex.decode(try container.decode(String.self)).flatMap(PinDigest.init) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "64 hexadecimal digits are expected")
        }
        self = digest
    }

    /// Writes the hexadecimal form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

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
