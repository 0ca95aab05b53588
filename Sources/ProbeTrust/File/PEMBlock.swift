package import ProbeKit
import ProbePlatform

/// One block of a PEM text, decoded only on use, so that blocks of other kinds may have any content.
package struct PEMBlock {
    /// The kind, like `CERTIFICATE`.
    package let label: String
    /// The text between the two markers.
    package let body: ArraySlice<UInt8>
    /// The line of the text that it begins in.
    package let line: Int
    /// The source's name in errors.
    package let path: String
    let remedy: String

    /// Returns the bytes that the block holds.
    ///
    /// - Throws: `InputError` that names the line, and quotes nothing.
    package func decoded() throws(InputError) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity(body.count)
        var line = line
        for byte in body {
            if byte == UInt8(ascii: "\n") { line += 1 }
            // Skips spaces, tabs and line ends, wherever they are.
            guard byte > UInt8(ascii: " ") else { continue }
            guard Self.isDigit(byte) else { throw error("line \(line) is not base64") }
            digits.append(byte)
        }
        guard !digits.isEmpty else { throw error("the block of line \(self.line) is empty") }
        guard let data = Data(base64Encoded: Data(digits)) else {
            throw error("the base64 of the block of line \(self.line) is cut short or wrongly padded")
        }
        return Array(data)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    func error(_ reason: String) -> InputError {
        InputError("\(path) is broken PEM: \(reason)", remedy: remedy, source: .file)
    }
}

extension [PEMBlock] {
    /// The kinds that are there, for an error about a missing one.
    package var kinds: String {
        let kinds = Set(map(\.label)).sorted().joined(separator: ", ")
        return kinds.isEmpty ? "" : ", only \(PrintableText.escape(kinds))"
    }
}
