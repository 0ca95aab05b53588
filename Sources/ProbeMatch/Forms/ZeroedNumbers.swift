/// A text of JSON whose numbers are all 0.
///
/// A number may be of any size (RFC 8259 section 6), like the modulus of an RSA key; Foundation refuses a text with one that is
/// outside the range of `Double`.
struct ZeroedNumbers {
    private(set) var text: [UInt8] = []
    /// The count of numbers in the text.
    private(set) var count = 0

    /// Replaces the numbers of a text. What is malformed stays as it is.
    init(_ bytes: ArraySlice<UInt8>) {
        text.reserveCapacity(bytes.count)
        var (copied, index) = (bytes.startIndex, bytes.startIndex)
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = RenamedMembers.endOfString(in: bytes, from: index)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let end = bytes[index...].firstIndex { !Self.isPart($0) } ?? bytes.endIndex
                if Self.isNumber(bytes[index..<end]) {
                    text += bytes[copied..<index]
                    text.append(UInt8(ascii: "0"))
                    count += 1
                    copied = end
                }
                index = end
            default: index += 1
            }
        }
        text += bytes[copied...]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isPart(_ byte: UInt8) -> Bool { isDigit(byte) || "+-.eE".utf8.contains(byte) }

    /// Returns true for a number as RFC 8259 section 6 has it.
    private static func isNumber(_ token: ArraySlice<UInt8>) -> Bool {
        var rest = token
        func takeDigits() -> Bool {
            let digits = rest.prefix(while: isDigit)
            rest = rest.dropFirst(digits.count)
            return !digits.isEmpty
        }
        func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take("-")
        guard take("0") || takeDigits() else { return false }
        if take("."), !takeDigits() { return false }
        if take("eE") {
            _ = take("+-")
            guard takeDigits() else { return false }
        }
        return rest.isEmpty
    }
}
