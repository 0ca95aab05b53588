package import ProbeKit
import ProbePlatform

/// The blocks of a PEM text (RFC 7468), in every form that OpenSSL or GnuTLS reads: lines of any length or a single one,
/// indented or not, with any line ends, and any text between the blocks.
///
/// An error names the line without quoting it, since it may be a private key. Nothing that begins like a block is
/// skipped silently: a missing anchor or chain certificate changes verdicts.
package struct PEMText {
    private let bytes: [UInt8]
    private let path: String
    private let remedy: String

    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)

    /// - Parameters:
    ///   - bytes: any text.
    ///   - path: the source's name in errors.
    ///   - remedy: the suggested input.
    /// - Throws: `InputError` if a block does not end as it began.
    package static func blocks(in bytes: [UInt8], from path: String, remedy: String) throws(InputError) -> [PEMBlock] {
        try PEMText(bytes: bytes, path: path, remedy: remedy).blocks()
    }

    /// Returns true if the text has a PEM block.
    package static func isPEM(_ bytes: [UInt8]) -> Bool {
        PEMText(bytes: bytes, path: "", remedy: "").first(begin, in: bytes.indices) != nil
    }

    private func blocks() throws(InputError) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var rest = bytes.indices
        // The line of the last block, from which the next one's is counted: a store has hundreds.
        var (line, counted) = (1, bytes.startIndex)
        while let begin = first(Self.begin, in: rest) {
            line += lineEnds(in: counted..<begin.lowerBound)
            counted = begin.lowerBound
            let (label, start) = try label(after: begin.upperBound)
            let body = start..<bytes.endIndex
            guard let end = first(Self.end, in: body),
                first(Self.begin, in: start..<end.lowerBound) == nil
            else {
                throw error("the block of line \(line) has no END line")
            }
            let (endLabel, next) = try self.label(after: end.upperBound)
            guard label == endLabel else {
                throw error(
                    "the block of line \(line) is ended as another kind in line \(self.line(of: end.lowerBound))"
                )
            }
            blocks.append(
                PEMBlock(
                    label: label, body: bytes[start..<end.lowerBound], line: line, path: path, remedy: remedy))
            rest = next..<bytes.endIndex
        }
        return blocks
    }

    /// Returns the label that ends with five dashes on the same line, and the offset after them.
    private func label(after start: Int) throws(InputError) -> (label: String, next: Int) {
        let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let dashes = first(Self.dashes, in: line.indices) else {
            throw error("line \(self.line(of: start)) begins or ends a block and has no five dashes after the kind")
        }
        return (String(decoding: bytes[start..<dashes.lowerBound], as: UTF8.self), dashes.upperBound)
    }

    private func first(_ marker: [UInt8], in range: Range<Int>) -> Range<Int>? {
        var offset = range.lowerBound
        while offset + marker.count <= range.upperBound {
            if bytes[offset] == marker[0], bytes[offset..<(offset + marker.count)].elementsEqual(marker) {
                return offset..<(offset + marker.count)
            }
            offset += 1
        }
        return nil
    }

    /// Returns the number of a line, counted from 1.
    private func line(of offset: Int) -> Int { 1 + lineEnds(in: bytes.startIndex..<offset) }

    private func lineEnds(in range: Range<Int>) -> Int {
        var count = 0
        for place in range where bytes[place] == UInt8(ascii: "\n") { count += 1 }
        return count
    }

    private func error(_ reason: String) -> InputError {
        InputError("\(path) is broken PEM: \(reason)", remedy: remedy, source: .file)
    }
}

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
