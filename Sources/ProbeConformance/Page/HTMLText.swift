import ProbeKit

/// Text of others in a page of ours.
enum HTMLText {
    /// As text or as an attribute between double quotes.
    static func escape(_ text: String) -> String {
        PrintableText.escape(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    /// JSON that ends no script element and starts no comment in one. These characters stand in strings alone.
    static func inert(json: String) -> String {
        json.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e").replacing("&", with: "\\u0026")
    }
}
