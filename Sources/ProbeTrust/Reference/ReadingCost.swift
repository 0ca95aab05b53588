/// The cost of reading a certificate, estimated from its outer form before anything is built of it.
///
/// The parser makes a node of each element; text in names is folded, hashed and shown, which takes far longer than keys and
/// signatures do. Elements inside extensions count like the others.
struct ReadingCost {
    private let der: [UInt8]
    private let limit: Int
    private var units = 0

    /// Deeper than the parser follows.
    private static let maximumDepth = 64
    private static let octetString: UInt8 = 0x04
    private static let constructed: UInt8 = 0x20

    /// Returns the cost of a DER value in units of ``SearchBudget``; counting stops above `limit`, beyond which the
    /// exact cost does not matter.
    static func units(of der: [UInt8], limit: Int) -> Int {
        var cost = ReadingCost(der: der, limit: limit)
        cost.count(der.indices, depth: 0)
        return cost.units
    }

    private init(der: [UInt8], limit: Int) {
        self.der = der
        self.limit = limit
        // Hashed and copied, whatever it is.
        units = 10 + der.count / 50
    }

    /// Counts the elements of a range until it is not DER, where the parser stops too.
    private mutating func count(_ range: Range<Int>, depth: Int) {
        var offset = range.lowerBound
        while units <= limit, let content = content(at: offset, before: range.upperBound) {
            let tag = der[offset]
            units += Self.cost(ofTag: tag, bytes: content.count)
            // An extension is DER in an octet string.
            if depth < Self.maximumDepth, tag & Self.constructed != 0 || tag == Self.octetString {
                count(content, depth: depth + 1)
            }
            offset = content.upperBound
        }
    }

    /// The measured time is about a third of the cost, like everything in the budget.
    private static func cost(ofTag tag: UInt8, bytes: Int) -> Int {
        switch tag {
        // Boolean, numbers, strings of bits and bytes, null, identifiers, times.
        case 0x01...0x06, 0x0a, 0x17, 0x18: 1
        // The text of an attribute.
        case ..<0x20: 1 + bytes / 3
        // The name of a server, a mailbox, an address.
        case 0x80..<0xa0: 2 + bytes / 20
        default: 1
        }
    }

    /// Returns the content of the element at an offset; nil if there is none.
    private func content(at offset: Int, before end: Int) -> Range<Int>? {
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
    /// Spends the cost of reading a certificate, and returns true if the budget sufficed.
    package mutating func spend(reading der: [UInt8]) -> Bool {
        spend(ReadingCost.units(of: der, limit: remaining))
    }
}
