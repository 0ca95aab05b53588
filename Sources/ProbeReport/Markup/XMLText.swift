import ProbeKit

/// Foreign text in XML of ours, written as libxml2 writes it, which would come along with Foundation's own types for XML.
enum XMLText {
    /// Escapes the text of an element; its line breaks stay as they are.
    static func content(_ text: String) -> String {
        PrintableText.replace(["&": "&amp;", "<": "&lt;", ">": "&gt;"], in: text)
    }

    /// Escapes the value of an attribute between double quotes, with references for all that is outside ASCII.
    static func attribute(_ value: String) -> String {
        PrintableText.escape(value).unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
            default: escaped += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
            }
        }
    }
}
