import ProbeKit

/// Base64 as platforms read it that accept more than the standard form: each converted to that form.
enum LenientBase64 {
    /// Decodes like Okio's `decodeBase64`, which OkHttp uses: both alphabets, with or without padding, blanks anywhere.
    ///
    /// - Returns: nil if OkHttp refuses it too.
    static func okio(_ text: String) -> String? {
        var digits: [UInt8] = []
        let bytes = Array(text.utf8)
        let end = bytes.lastIndex { !"=\n\r \t".utf8.contains($0) }.map { $0 + 1 } ?? 0
        for byte in bytes[..<end] {
            switch byte {
            case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            case let byte where isDigit(byte): digits.append(byte)
            default: return nil
            }
        }
        return digits.count % 4 == 1 ? nil : padded(digits)
    }

    /// Decodes like `android.util.Base64.decode` with its default flags: the standard alphabet, other characters
    /// skipped, padding complete or missing.
    ///
    /// - Returns: nil if Android rejects it too.
    static func android(_ text: String) -> String? {
        var digits: [UInt8] = []
        var padding = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") {
                padding += 1
            } else if isDigit(byte) {
                guard padding == 0 else { return nil }
                digits.append(byte)
            }
        }
        let missing = (4 - digits.count % 4) % 4
        return missing == 3 || padding != 0 && padding != missing ? nil : padded(digits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 && byte >= UInt8(ascii: "A")
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }

    /// Returns whole groups of digits. The last digit before one `=` has two bits that no byte uses, and before two it has
    /// four: both decoders shift them out (`decodeBase64ToArray` of Okio's `-Base64.kt`, the states 2 and 3 of
    /// `Base64.Decoder` in `android.util`).
    private static func padded(_ digits: [UInt8]) -> String {
        let missing = (4 - digits.count % 4) % 4
        var digits = digits
        if missing > 0, let last = digits.last.flatMap(alphabet.firstIndex(of:)) {
            digits[digits.count - 1] = alphabet[(last >> (2 * missing)) << (2 * missing)]
        }
        return String(decoding: digits, as: UTF8.self) + String(repeating: "=", count: missing)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
