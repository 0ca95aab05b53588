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

    /// Returns the text, or its beginning with `…` for the rest if it is longer than a number of bytes of UTF-8.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: limit)
        // The view of scalars rounds down to the beginning of the one that the limit is in.
        return String(text.unicodeScalars[..<end]) + "…"
    }

    /// Replaces scalars, each by itself. A quote with a combining mark after it is another `Character` than a quote, and still
    /// ends what stands in quotes.
    package static func replace(_ replacements: [Unicode.Scalar: String], in text: String) -> String {
        guard text.unicodeScalars.contains(where: { replacements[$0] != nil }) else { return text }
        return String(
            text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { replaced, scalar in
                if let other = replacements[scalar] {
                    replaced.append(contentsOf: other.unicodeScalars)
                } else {
                    replaced.append(scalar)
                }
            })
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
    /// - Parameter also: a further byte to put a backslash before.
    package static func escape(_ bytes: some Sequence<UInt8>, also: UInt8? = nil) -> String {
        var text: [UInt8] = []
        append(bytes, also: also, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends bytes to a text, escaped as ``escape(_:also:)`` does.
    static func append(_ bytes: some Sequence<UInt8>, also: UInt8?, to text: inout [UInt8]) {
        let backslash = UInt8(ascii: "\\")
        for byte in bytes {
            if byte == backslash || byte == also {
                text.append(backslash)
                text.append(byte)
            } else if (0x20...0x7e).contains(byte) {
                text.append(byte)
            } else {
                text.append(backslash)
                for place: UInt8 in [100, 10, 1] { text.append(UInt8(ascii: "0") + byte / place % 10) }
            }
        }
    }

    /// Returns a TXT record's strings, each in quotes, with spaces between (requirement 22).
    package static func quoted(_ strings: [[UInt8]]) -> String {
        let quote = UInt8(ascii: "\"")
        var text: [UInt8] = []
        for string in strings {
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            text.append(quote)
            append(string, also: quote, to: &text)
            text.append(quote)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
