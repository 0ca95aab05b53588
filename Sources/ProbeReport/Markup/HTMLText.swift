import ProbeKit

/// Foreign text in a page of ours.
package enum HTMLText {
    /// Escapes text, also for attributes between double quotes.
    package static func escape(_ text: String) -> String {
        PrintableText.replace(
            ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"], in: PrintableText.escape(text))
    }
}
