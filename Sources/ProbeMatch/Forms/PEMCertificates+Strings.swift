import ProbeKit

/// Blocks within a string, as of JSON in a log or in a program: on one line, their line breaks left out or escaped.
extension PEMCertificates {
    /// The number of bytes behind a block's first mark among which base64 begins, if it does.
    private static let window = 192
    /// The least number of digits that no word has.
    private static let leastDigits = 32

    /// Returns true if base64 of a certificate begins so, where the line of a block's first mark goes on. A text that quotes the
    /// mark has words there. Of a block that is cut short right behind its mark a few digits are enough.
    static func beginsBase64(_ text: ArraySlice<UInt8>) -> Bool {
        let plain = unescaped(text.prefix(window))
        let end = plain.firstRange(of: dashes, in: plain.indices)?.lowerBound ?? plain.count
        let isWhole = text.count < window && end == plain.count
        return plain[..<end].split { !isDigit($0) }.contains { run in
            // A SEQUENCE of more than 127 bytes.
            plain.firstRange(of: Array("MI".utf8), in: run.indices) != nil
                && (run.count >= leastDigits || isWhole && run.endIndex == end)
        }
    }

    /// Returns a text without the escapes of a string (RFC 8259 section 7), line breaks among them. The letter of such a break
    /// would count as a digit of base64.
    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(backslash) else { return Array(text) }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == backslash else {
                plain.append(byte)
                continue
            }
            // A string within another has more of them.
            rest = rest.drop { $0 == backslash }
            guard let letter = rest.popFirst() else { break }
            switch letter {
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): continue
            case UInt8(ascii: "u"):
                let unit = Hex.decode(String(decoding: rest.prefix(4), as: UTF8.self)) ?? []
                guard unit.count == 2, unit[0] == 0 else { continue }
                plain.append(unit[1])
                rest = rest.dropFirst(4)
            default: plain.append(letter)
            }
        }
        return plain
    }

    private static var backslash: UInt8 { UInt8(ascii: "\\") }

    /// Returns true for a digit of base64 (RFC 4648 section 4).
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
