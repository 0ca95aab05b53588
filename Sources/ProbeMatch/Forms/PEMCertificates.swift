import Foundation

/// Certificates in PEM blocks (RFC 7468), of all labels that OpenSSL reads as one.
enum PEMCertificates {
    static let begin = Array("-----BEGIN ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let labels = Set(["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].map { Array($0.utf8) })
    /// The longest block: base64 of the largest certificate.
    private static let maximumBlock = 2 << 20
    /// The longest label that is looked for.
    private static let maximumLabel = 128

    /// A block, or what begins like one.
    private struct Block {
        /// The way a block ends.
        enum Ending {
            /// With its last mark, after the content.
            case closed(content: Range<Int>)
            /// With the first mark of another block.
            case interrupted
            /// With the bytes: its end may follow.
            case open
        }

        /// The offset of its first mark.
        let start: Int
        /// True if it is one of a certificate, and not a text that quotes its first line.
        let isCertificate: Bool
        let ending: Ending
        /// The offset at which the search goes on.
        let next: Int
    }

    /// Returns the first block from an offset. A label is within its line, and a block ends before another one begins:
    /// one that is cut short takes nothing with it.
    private static func block(in bytes: [UInt8], from start: Int) -> Block? {
        var start = start
        while let mark = bytes.firstRange(of: begin, in: start..<bytes.count) {
            start = mark.upperBound
            let limit = min(start + maximumLabel, bytes.count)
            let lineEnd = bytes[start..<limit].firstIndex { $0 == 0x0a || $0 == 0x0d }
            guard let label = bytes.firstRange(of: dashes, in: start..<(lineEnd ?? limit)) else {
                if lineEnd != nil || limit < bytes.count { continue }
                return Block(
                    start: mark.lowerBound, isCertificate: isBeginning(bytes[start...]), ending: .open,
                    next: bytes.count)
            }
            let isCertificate =
                labels.contains(Array(bytes[start..<label.lowerBound])) && isLineEnd(label.upperBound, in: bytes)
            func block(_ ending: Block.Ending, next: Int) -> Block {
                Block(start: mark.lowerBound, isCertificate: isCertificate, ending: ending, next: next)
            }
            var rest = label.upperBound
            while let other = bytes.firstRange(of: dashes, in: rest..<bytes.count) {
                let word = bytes[other.upperBound...]
                if word.starts(with: "END ".utf8) {
                    guard isWhole(other.upperBound, in: bytes) else { return block(.open, next: bytes.count) }
                    return block(.closed(content: label.upperBound..<other.lowerBound), next: other.upperBound)
                }
                if word.starts(with: "BEGIN ".utf8) { return block(.interrupted, next: other.lowerBound) }
                rest = other.lowerBound + 1
            }
            return block(.open, next: bytes.count)
        }
        return nil
    }

    /// Returns true if the last mark of a block is whole, or its line is over without it.
    private static func isWhole(_ word: Int, in bytes: [UInt8]) -> Bool {
        let limit = min(word + maximumLabel, bytes.count)
        return limit < bytes.count || bytes[word..<limit].contains { $0 == 0x0a || $0 == 0x0d }
            || bytes.firstRange(of: dashes, in: word..<limit) != nil
    }

    /// Returns true if the label of a certificate begins so, with dashes after it or not.
    private static func isBeginning(_ text: ArraySlice<UInt8>) -> Bool {
        let end = text.lastIndex { $0 != UInt8(ascii: "-") }.map { $0 + 1 } ?? text.startIndex
        let label = text[..<end]
        return labels.contains { end == text.endIndex ? $0.starts(with: label) : $0.elementsEqual(label) }
    }

    /// Returns true if a block's first line ends there. A text that quotes it goes on.
    private static func isLineEnd(_ index: Int, in bytes: [UInt8]) -> Bool {
        index >= bytes.count || [0x0a, 0x0d, 0x20, 0x09].contains(bytes[index])
    }

    /// Returns the end of the last whole block, or of the text after it if no block is open.
    static func lastBoundary(in bytes: [UInt8]) -> Int {
        var start = 0
        while let block = block(in: bytes, from: start) {
            let open = bytes.count - block.start > maximumBlock ? bytes.count : block.start
            switch block.ending {
            case .closed:
                guard let line = bytes[block.next...].firstIndex(of: 0x0a) else { return open }
                start = line + 1
            case .interrupted: start = block.next
            case .open: return open
            }
        }
        // A beginning that is cut in two stays with what follows; a line without end is cut anywhere.
        return max(start, (bytes.lastIndex(of: 0x0a) ?? -1) + 1, bytes.count - maximumBlock)
    }

    /// Returns the beginning of a certificate's block without an end, or of the word that begins one; nil if all have an end.
    static func openBlock(in bytes: [UInt8]) -> Int? {
        var start = 0
        while let block = block(in: bytes, from: start) {
            if case .open = block.ending { return block.isCertificate ? block.start : nil }
            start = block.next
        }
        // Dashes alone may be a rule below a text.
        let line = max(start, (bytes.lastIndex(of: 0x0a) ?? -1) + 1)
        let word = bytes[line...]
        return word.count > dashes.count && begin.starts(with: word) ? line : nil
    }

    static func read(_ block: InputBlock) -> CertificateBatch {
        var batch = CertificateBatch()
        batch.reserve(block.bytes.count * 3 / 4)
        let bytes = block.bytes
        var (start, line, counted) = (0, block.line, 0)
        while let block = Self.block(in: bytes, from: start) {
            line += bytes[counted..<block.start].count { $0 == 0x0a }
            (start, counted) = (block.next, block.start)
            guard block.isCertificate else { continue }
            let place = CertificateBatch.Place(line: line)
            // A trusted certificate is followed by what it is trusted for.
            if case .closed(let content) = block.ending, let der = decoded(bytes[content]),
                case .at(let end) = DERElement.end(in: der, at: 0)
            {
                batch.append(der[..<end], at: place)
            } else {
                batch.appendUndecoded(at: place)
            }
        }
        return batch
    }

    private static func decoded(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        let der = Data(base64Encoded: Data(content), options: .ignoreUnknownCharacters).map(Array.init)
        return der?.isEmpty == false ? der : nil
    }
}
