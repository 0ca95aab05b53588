/// The end of an element that begins at an offset.
enum ElementEnd: Equatable {
    /// The offset after it.
    case at(Int)
    /// It does not end within the bytes.
    case beyond
    /// Nothing begins where an element would.
    case broken
}

/// The outermost element of a certificate.
enum DERElement {
    /// Returns true for the beginning of a certificate: a SEQUENCE of more than 127 bytes, which begins with another one. A
    /// text that begins with the digit 0 is not one.
    static func isCertificate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        guard bytes.count > 4, bytes[start] == 0x30, (0x81...0x83).contains(bytes[start + 1]) else { return false }
        let content = start + 2 + Int(bytes[start + 1] & 0x7f)
        return content < bytes.endIndex && bytes[content] == 0x30
    }

    /// Returns the end of the SEQUENCE at an offset.
    static func end(in bytes: [UInt8], at start: Int) -> ElementEnd {
        guard bytes[start] == 0x30 else { return .broken }
        guard start + 1 < bytes.count else { return .beyond }
        let first = Int(bytes[start + 1])
        guard first >= 0x80 else { return end(start + 2 + first, bytes) }
        // A certificate's length has three bytes at most.
        let digits = first & 0x7f
        guard (1...3).contains(digits) else { return .broken }
        guard start + 2 + digits <= bytes.count else { return .beyond }
        let length = bytes[start + 2..<start + 2 + digits].reduce(0) { $0 << 8 | Int($1) }
        return end(start + 2 + digits + length, bytes)
    }

    private static func end(_ end: Int, _ bytes: [UInt8]) -> ElementEnd { end <= bytes.count ? .at(end) : .beyond }
}
