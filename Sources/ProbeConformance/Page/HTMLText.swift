import ProbeKit

/// Foreign text in a page of ours.
enum HTMLText {
    /// Escapes text, also for attributes between double quotes.
    static func escape(_ text: String) -> String {
        PrintableText.escape(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// Returns JSON that ends no script element and starts no comment in one, in ASCII. Replacements occur only in
    /// strings.
    static func inert(json: String) -> String {
        json.utf16.reduce(into: "") { text, unit in
            if unit < 0x7f, let scalar = Unicode.Scalar(unit), !"<>&".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
}
