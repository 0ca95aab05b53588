/// Text from a peer, made safe to print: characters that would move a cursor, change a colour or break a line or a
/// format are escaped.
package enum PrintableText: Sendable {
    /// Returns the text with control characters, and those that reverse its direction, as `\\u{…}`.
    package static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if isUnprintable(scalar) {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator, .unassigned: true
        default: false
        }
    }
}
