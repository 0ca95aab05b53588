/// Text from a peer, made safe to print: characters that would move a cursor, change a colour or break a line or a
/// format are escaped.
package enum PrintableText: Sendable {
    /// Returns the text with control characters, and those that reverse its direction, as `\\u{…}`.
    package static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x20..<0x7f).contains($0) }),
            text.unicodeScalars.contains(where: isUnprintable)
        else { return text }
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

/// Case conversion of ASCII letters alone; other bytes are unchanged.
enum ASCII {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// The presentation form of RFC 1035 section 5.1, as `dig` prints it.
package enum MasterFileText: Sendable {
    /// Returns bytes with everything outside printable ASCII as `\DDD`, and backslashes escaped.
    ///
    /// - Parameter also: further bytes to put a backslash before.
    package static func escape(_ bytes: some Sequence<UInt8>, also: Set<UInt8> = []) -> String {
        var text = ""
        for byte in bytes {
            if byte == UInt8(ascii: "\\") || also.contains(byte) {
                text += "\\" + String(UnicodeScalar(byte))
            } else if (0x20...0x7e).contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return text
    }

    /// Returns a TXT record's strings, each in quotes, with spaces between (requirement 22).
    package static func quoted(_ strings: [[UInt8]]) -> String {
        strings.map { "\"" + escape($0, also: [UInt8(ascii: "\"")]) + "\"" }.joined(separator: " ")
    }
}
