import ProbeKit

/// Steps through the elements of one DER value without copying or allocating, and never past its end.
///
/// It is two offsets; the bytes are passed to each step, so that it needs no lifetime of its own. The steps are inlined
/// into the walk, but their error paths are not: a walk costs a few nanoseconds beside the digest that follows.
struct DERCursor {
    /// The tags that a certificate has on the way to its key.
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case sequence = 0x30
        case contextConstructed0 = 0xa0
    }

    /// Never negative, and never more than the number of bytes: this makes the unchecked reads below safe, each of
    /// which is of an offset that was compared with `end`.
    private let end: Int
    private(set) var offset: Int

    /// Creates a cursor over all of `bytes`.
    @inline(__always)
    init(_ bytes: Span<UInt8>) {
        offset = 0
        end = bytes.count
    }

    /// Creates a cursor over the content of an element that was read.
    @inline(__always)
    private init(content: Range<Int>) {
        offset = content.lowerBound
        end = content.upperBound
    }

    @inline(__always)
    var isAtEnd: Bool { offset == end }

    /// Steps over an element and returns the range of its content.
    @inline(__always)
    mutating func read(
        _ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>
    ) throws(CertificateFormatError) -> Range<Int> {
        guard end &- offset >= 2, unsafe bytes[unchecked: offset] == tag.rawValue else {
            throw refusal(of: tag, field, bytes)
        }
        return try content(field, bytes)
    }

    /// Steps over an element and returns a cursor over its content.
    @inline(__always)
    mutating func enter(
        _ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>
    ) throws(CertificateFormatError) -> DERCursor {
        DERCursor(content: try read(tag, field, bytes))
    }

    @inline(__always)
    mutating func skip(_ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) {
        _ = try read(tag, field, bytes)
    }

    @inline(__always)
    mutating func skipIfPresent(
        _ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>
    ) throws(CertificateFormatError) {
        if offset < end, unsafe bytes[unchecked: offset] == tag.rawValue { try skip(tag, field, bytes) }
    }

    /// Steps over an element of any single-byte tag; there is a byte at least.
    @inline(__always)
    mutating func skipAny(_ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) {
        guard end &- offset >= 2, unsafe bytes[unchecked: offset] & 0x1f != 0x1f else {
            throw refusal(of: nil, field, bytes)
        }
        _ = try content(field, bytes)
    }

    @inline(__always)
    func end(_ field: StaticString) throws(CertificateFormatError) {
        guard isAtEnd else { throw .init(.trailingBytes, at: field, offset: offset) }
    }

    /// Reads the length after the tag at `offset`, both of which are inside, and moves behind the element.
    @inline(__always)
    private mutating func content(
        _ field: StaticString, _ bytes: Span<UInt8>
    ) throws(CertificateFormatError) -> Range<Int> {
        var length = Int(unsafe bytes[unchecked: offset &+ 1])
        var first = offset &+ 2
        if length >= 0x80 {
            let count = length & 0x7f
            length = try longLength(count, field, bytes)
            first &+= count
        }
        guard length <= end &- first else { throw .init(.truncated, at: field, offset: offset) }
        offset = first &+ length
        return unsafe Range(uncheckedBounds: (first, offset))
    }

    /// The length in so many bytes behind the first one. Three reach 16 MiB, more than a certificate may have; a first zero
    /// byte is not the shortest form.
    @inline(__always)
    private func longLength(
        _ count: Int, _ field: StaticString, _ bytes: Span<UInt8>
    ) throws(CertificateFormatError) -> Int {
        guard (1...3).contains(count) else { throw .init(.badLength, at: field, offset: offset) }
        guard end &- offset >= 2 &+ count else { throw .init(.truncated, at: field, offset: offset) }
        var length = Int(unsafe bytes[unchecked: offset &+ 2])
        var shortest = 0x80
        if count > 1 {
            length = length &<< 8 | Int(unsafe bytes[unchecked: offset &+ 3])
            shortest = 0x100
        }
        if count > 2 {
            length = length &<< 8 | Int(unsafe bytes[unchecked: offset &+ 4])
            shortest = 0x10000
        }
        guard length >= shortest else { throw .init(.badLength, at: field, offset: offset) }
        return length
    }

    /// Returns the error for an element that can't start at `offset`. The tag is either the wanted one or any
    /// single-byte tag.
    @inline(never)
    private func refusal(of tag: Tag?, _ field: StaticString, _ bytes: Span<UInt8>) -> CertificateFormatError {
        guard offset < end else { return .init(.truncated, at: field, offset: offset) }
        let isWanted = tag.map { bytes[offset] == $0.rawValue } ?? (bytes[offset] & 0x1f != 0x1f)
        return .init(isWanted ? .truncated : .unexpectedTag, at: field, offset: offset)
    }
}
