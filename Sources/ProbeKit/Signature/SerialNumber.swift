/// A certificate's serial number (RFC 5280 section 4.1.2.2), written in decimal.
public struct SerialNumber: Hashable, Sendable, CustomStringConvertible {
    /// Big-endian, without zeros in front; empty for zero.
    public let bytes: [UInt8]

    /// The maximum number of decimal digits read; the 20 bytes of a serial number need 49.
    private static let maximumDigits = 100

    /// Creates a number of big-endian bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes.drop { $0 == 0 })
    }

    /// Reads a number in decimal digits.
    ///
    /// - Throws: ``InputError`` naming the text.
    public init(decimal text: String) throws(InputError) {
        let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard (1...Self.maximumDigits).contains(digits.count), digits.allSatisfy({ (0...9).contains($0) }) else {
            throw InputError("'\(text.prefix(120))' is no serial number", remedy: "write it in decimal digits")
        }
        var bytes: [UInt8] = []
        for digit in digits {
            var carry = digit
            for index in bytes.indices.reversed() {
                carry += Int(bytes[index]) * 10
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            if carry > 0 { bytes.insert(UInt8(truncatingIfNeeded: carry), at: 0) }
        }
        self.init(bytes)
    }

    /// Decimal digits.
    public var description: String {
        var digits: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var remainder = 0
            rest =
                rest.map { byte in
                    remainder = remainder << 8 | Int(byte)
                    defer { remainder %= 10 }
                    return UInt8(truncatingIfNeeded: remainder / 10)
                }.drop { $0 == 0 }
            digits.append("\(remainder)")
        }
        return digits.isEmpty ? "0" : digits.reversed().joined()
    }
}
