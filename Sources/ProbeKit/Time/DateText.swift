/// A date as text, read from the front part by part. Each part is ASCII and as long as its form says.
///
/// A regular expression would be compiled at each use, which takes a hundred times as long as reading.
struct DateText {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads a number of so many digits.
    mutating func number(_ digits: Int) -> Int? {
        guard rest.count >= digits else { return nil }
        var number = 0
        for byte in rest.prefix(digits) {
            guard Self.isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(digits)
        return number
    }

    /// Reads all digits that follow, of which there has to be one.
    mutating func digits() -> String? {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
    }

    /// Reads one of these characters.
    mutating func one(of choice: Unicode.Scalar...) -> Unicode.Scalar? {
        guard let byte = rest.first, choice.contains(Unicode.Scalar(byte)) else { return nil }
        rest = rest.dropFirst()
        return Unicode.Scalar(byte)
    }

    /// Skips a text.
    mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Reads a name: a capital letter and so many small ones.
    mutating func name(_ small: ClosedRange<Int>) -> String? {
        guard let first = rest.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return nil }
        let name = rest.dropFirst().prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard small.contains(name.count) else { return nil }
        defer { rest = rest[name.endIndex...] }
        return String(decoding: rest[..<name.endIndex], as: UTF8.self)
    }

    /// Reads a time of day like `23:59:59`, in seconds. A leap second has none.
    mutating func timeOfDay() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second < 60
        else { return nil }
        return (hour * 60 + minute) * 60 + second
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
