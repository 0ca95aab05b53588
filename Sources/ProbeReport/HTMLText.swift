import ProbeKit

/// Foreign text in a page of ours.
package enum HTMLText {
    /// Escapes text, also for attributes between double quotes.
    package static func escape(_ text: String) -> String {
        PrintableText.escape(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
