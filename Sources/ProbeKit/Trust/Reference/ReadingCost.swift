/// The cost of reading a certificate, estimated from its outer form before anything is built of it.
///
/// The parser makes a node of each element, the rules a string or a name of many of them; so both count, bytes and
/// elements, those inside extensions included.
struct ReadingCost {
    private let der: [UInt8]
    private let limit: Int
    private var elements = 0

    /// Deeper than the parser follows.
    private static let maximumDepth = 64
    private static let octetString: UInt8 = 0x04
    private static let constructed: UInt8 = 0x20

    /// The elements of a DER value, at most `limit` and a little more: whoever has less to spend need not know.
    static func elements(of der: [UInt8], limit: Int) -> Int {
        var cost = ReadingCost(der: der, limit: limit)
        cost.count(der.indices, depth: 0)
        return cost.elements
    }

    private init(der: [UInt8], limit: Int) {
        self.der = der
        self.limit = limit
    }

    /// Counts the elements of a range up to where it is not DER, which is as far as the parser gets.
    private mutating func count(_ range: Range<Int>, depth: Int) {
        var offset = range.lowerBound
        while let element = element(at: offset, before: range.upperBound), elements <= limit {
            elements += 1
            // An extension is DER in an octet string.
            if depth < Self.maximumDepth, der[offset] & Self.constructed != 0 || der[offset] == Self.octetString {
                count(element, depth: depth + 1)
            }
            offset = element.upperBound
        }
    }

    /// The content of the element at an offset.
    private func element(at offset: Int, before end: Int) -> Range<Int>? {
        var next = offset + 1
        guard next < end else { return nil }
        if der[offset] & 0x1f == 0x1f {
            while next < end, der[next] & 0x80 != 0 { next += 1 }
            next += 1
            guard next < end else { return nil }
        }
        var length = Int(der[next])
        next += 1
        if length >= 0x80 {
            let count = length & 0x7f
            guard (1...4).contains(count), count <= end - next else { return nil }
            length = der[next..<(next + count)].reduce(0) { $0 << 8 | Int($1) }
            next += count
        }
        guard length <= end - next else { return nil }
        return next..<(next + length)
    }
}

extension SearchBudget {
    /// Takes what reading a certificate costs, and returns whether there was as much.
    mutating func spend(reading der: [UInt8]) -> Bool {
        spend(10 + der.count / Self.bytesPerUnit)
            && spend(ReadingCost.elements(of: der, limit: remaining / Self.unitsPerElement) * Self.unitsPerElement)
    }

    /// A microsecond reads some ten bytes of text.
    private static let bytesPerUnit = 10
    /// An attribute of a name has four elements, and takes most of all.
    private static let unitsPerElement = 2
}
