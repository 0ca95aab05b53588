public import ProbeKit

/// Reads character-strings in the presentation form of RFC 1035 section 5.1, as `dig` prints them.
public enum MasterFileStrings: Sendable {
    /// Returns the strings of one record: in quotes or bare, with blanks between; `\DDD` and `\X` are escapes for
    /// bytes.
    ///
    /// - Throws: `InputError` naming the text.
    public static func parse(_ text: String) throws(InputError) -> [[UInt8]] {
        var bytes = Array(text.utf8)[...]
        var strings: [[UInt8]] = []
        while true {
            bytes = bytes.drop(while: isBlank)
            guard let first = bytes.first else { break }
            let isQuoted = first == UInt8(ascii: "\"")
            if isQuoted { bytes = bytes.dropFirst() }
            var string: [UInt8] = []
            while let byte = bytes.first, isQuoted ? byte != UInt8(ascii: "\"") : !isBlank(byte) {
                string.append(try next(&bytes, of: text))
            }
            if isQuoted {
                guard !bytes.isEmpty else { throw refuse(text, "a quote is not closed") }
                bytes = bytes.dropFirst()
            }
            guard string.count <= 255 else { throw refuse(text, "a string has \(string.count) bytes, of at most 255") }
            strings.append(string)
        }
        guard !strings.isEmpty else { throw refuse(text, "it is empty") }
        return strings
    }

    private static func next(_ bytes: inout ArraySlice<UInt8>, of text: String) throws(InputError) -> UInt8 {
        guard let byte = bytes.popFirst() else { throw refuse(text, "it ends too early") }
        guard byte == UInt8(ascii: "\\") else { return byte }
        guard let escaped = bytes.popFirst() else { throw refuse(text, "it ends with a backslash") }
        guard isDigit(escaped) else { return escaped }
        let digits = [escaped] + bytes.prefix(2)
        guard digits.count == 3, let value = UInt8(String(decoding: digits, as: UTF8.self)) else {
            throw refuse(text, "a backslash is followed by digits that are not a byte (000 to 255)")
        }
        bytes = bytes.dropFirst(2)
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func refuse(_ text: String, _ reason: String) -> InputError {
        InputError(
            "'\(PrintableText.escape(InputError.quoting(text, limit: 120)))' is not a TXT record: \(reason)",
            remedy: "write it as dig prints it, like '\"dc,florida\"'")
    }
}
