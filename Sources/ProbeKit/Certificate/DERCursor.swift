/// Steps through the elements of one DER value without copying or allocating; never past its end.
///
/// It is two offsets; the bytes are passed to each step, so that it needs no lifetime of its own.
struct DERCursor {
    /// The tags that a certificate has on the way to its key.
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case sequence = 0x30
        case contextConstructed0 = 0xa0
    }

    private let end: Int
    private(set) var offset: Int

    /// A cursor over `range`, which lies within the bytes.
    init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    /// Steps over an element and returns the range of its content.
    mutating func read(_ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) -> Range<Int> {
        guard offset < end else { throw .init(.truncated, at: field, offset: offset) }
        guard bytes[offset] == tag.rawValue else { throw .init(.unexpectedTag, at: field, offset: offset) }
        return try content(field, bytes)
    }

    /// Steps over an element and returns a cursor over its content.
    mutating func enter(_ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) -> DERCursor {
        DERCursor(try read(tag, field, bytes))
    }

    mutating func skip(_ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) {
        _ = try read(tag, field, bytes)
    }

    mutating func skipIfPresent(_ tag: Tag, _ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) {
        if offset < end, bytes[offset] == tag.rawValue { try skip(tag, field, bytes) }
    }

    /// Steps over an element of any single-byte tag.
    mutating func skipAny(_ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) {
        guard bytes[offset] & 0x1f != 0x1f else { throw .init(.unexpectedTag, at: field, offset: offset) }
        _ = try content(field, bytes)
    }

    func end(_ field: StaticString) throws(CertificateFormatError) {
        guard isAtEnd else { throw .init(.trailingBytes, at: field, offset: offset) }
    }

    /// Reads tag and length at `offset`, which is inside, and moves behind the element.
    private mutating func content(_ field: StaticString, _ bytes: Span<UInt8>) throws(CertificateFormatError) -> Range<Int> {
        let start = offset
        guard end - offset >= 2 else { throw .init(.truncated, at: field, offset: start) }
        var length = Int(bytes[offset + 1])
        var header = 2
        if length >= 0x80 {
            // Three length bytes reach 16 MiB, more than a certificate may have; a first zero byte is not the shortest form.
            let count = length & 0x7f
            guard (1...3).contains(count) else { throw .init(.badLength, at: field, offset: start) }
            header += count
            guard end - offset >= header else { throw .init(.truncated, at: field, offset: start) }
            length = 0
            for index in 2..<header { length = length << 8 | Int(bytes[offset + index]) }
            let shortest = count == 1 ? 0x80 : 1 << (8 * (count - 1))
            guard length >= shortest else { throw .init(.badLength, at: field, offset: start) }
        }
        let first = offset + header
        guard length <= end - first else { throw .init(.truncated, at: field, offset: start) }
        offset = first + length
        return first..<offset
    }
}
