import Foundation

/// Certificates in PEM blocks (RFC 7468), of all labels that OpenSSL reads as one.
enum PEMCertificates {
    static let begin = Array("-----BEGIN ".utf8)
    static let dashes = Array("-----".utf8)
    private static let beginWord = Array("BEGIN ".utf8)
    private static let labels = Set(["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].map { Array($0.utf8) })
    /// Those of CMS (RFC 5652), which may have certificates in it that are not read.
    private static let messageLabels = Set(["PKCS7", "PKCS #7 SIGNED DATA", "CMS"].map { Array($0.utf8) })
    /// The longest block: base64 of the largest certificate.
    private static let maximumBlock = 2 << 20
    /// The longest label that is looked for.
    private static let maximumLabel = 128

    /// A block, or what begins like one.
    private struct Block {
        /// The way a block ends.
        enum Ending {
            /// With its last mark, after the content. The mark ends with its dashes.
            case closed(content: Range<Int>, end: Int)
            /// With the first mark of another block.
            case interrupted
            /// With the bytes: its end may follow.
            case open
        }

        /// The content by its label.
        enum Kind {
            /// A certificate.
            case certificate
            /// A message that may have certificates.
            case message
            /// Something else, or a text that quotes a block's first line.
            case other
        }

        /// The offset of its first mark.
        let start: Int
        let kind: Kind
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
                    start: mark.lowerBound, kind: isBeginning(bytes[start...]) ? .certificate : .other, ending: .open,
                    next: bytes.count)
            }
            let isBlock = isLineEnd(label.upperBound, in: bytes) || beginsBase64(bytes[label.upperBound...])
            let kind = isBlock ? Self.kind(of: Array(bytes[start..<label.lowerBound])) : .other
            func block(_ ending: Block.Ending, next: Int) -> Block {
                Block(start: mark.lowerBound, kind: kind, ending: ending, next: next)
            }
            var rest = label.upperBound
            while let other = bytes.firstRange(of: dashes, in: rest..<bytes.count) {
                let word = bytes[other.upperBound...]
                if word.starts(with: "END ".utf8) {
                    guard let end = markEnd(other.upperBound, in: bytes) else {
                        return block(.open, next: bytes.count)
                    }
                    return block(
                        .closed(content: label.upperBound..<other.lowerBound, end: end), next: other.upperBound)
                }
                if word.starts(with: beginWord) { return block(.interrupted, next: other.lowerBound) }
                rest = other.lowerBound + 1
            }
            return block(.open, next: bytes.count)
        }
        return nil
    }

    private static func kind(of label: [UInt8]) -> Block.Kind {
        labels.contains(label) ? .certificate : messageLabels.contains(label) ? .message : .other
    }

    /// Returns the end of a block's last mark: that of its dashes, or of the line that has none; nil if they may follow.
    private static func markEnd(_ word: Int, in bytes: [UInt8]) -> Int? {
        let limit = min(word + maximumLabel, bytes.count)
        let lineEnd = bytes[word..<limit].firstIndex { $0 == 0x0a || $0 == 0x0d }
        if let last = bytes.firstRange(of: dashes, in: word..<(lineEnd ?? limit)) { return last.upperBound }
        return lineEnd ?? (limit < bytes.count ? limit : nil)
    }

    /// Returns true if the label of a certificate begins so, with dashes after it or not.
    private static func isBeginning(_ text: ArraySlice<UInt8>) -> Bool {
        let end = text.lastIndex { $0 != UInt8(ascii: "-") }.map { $0 + 1 } ?? text.startIndex
        let label = text[..<end]
        return labels.contains { end == text.endIndex ? $0.starts(with: label) : $0.elementsEqual(label) }
    }

    /// Returns true if a block's first line ends there. A text that quotes it goes on, and so does a block on one line.
    private static func isLineEnd(_ index: Int, in bytes: [UInt8]) -> Bool {
        index >= bytes.count || [0x0a, 0x0d, 0x20, 0x09].contains(bytes[index])
    }

    /// Returns the end of the last whole block, or of the text after it if no block is open.
    static func lastBoundary(in bytes: [UInt8]) -> Int {
        var (start, cut, end) = (0, 0, 0)
        while let block = block(in: bytes, from: start) {
            // A block that begins with the last dashes of the one before stays with it, unless such blocks never end.
            if block.start >= end || block.start - cut > maximumBlock { cut = block.start }
            switch block.ending {
            case .closed(_, let last): end = last
            case .interrupted: end = block.next
            case .open: return bytes.count - block.start > maximumBlock ? bytes.count : cut
            }
            start = block.next
        }
        // The last dashes may be another block's first ones, the word after which has not come yet.
        if end > 0, beginWord.starts(with: bytes[end...]) { return cut }
        // A beginning that is cut in two stays with what follows; a line without end is cut anywhere.
        let boundary = max(end, (bytes.lastIndex(of: 0x0a) ?? -1) + 1, bytes.count - maximumBlock)
        return keepingOtherForm(whole: boundary, in: bytes, after: end, limit: maximumBlock)
    }

    /// Returns the beginning of a certificate's block without an end, or of the word that begins one; nil if all have an end.
    static func openBlock(in bytes: [UInt8]) -> Int? {
        var (start, end) = (0, 0)
        while let block = block(in: bytes, from: start) {
            switch block.ending {
            case .closed(_, let last): end = last
            case .interrupted: end = block.next
            case .open: return block.kind == .certificate ? block.start : nil
            }
            start = block.next
        }
        // Dashes alone may be a rule below a text.
        let line = max(end, (bytes.lastIndex { $0 == 0x0a || $0 == 0x0d } ?? -1) + 1)
        let word = bytes[line...].drop { $0 == 0x20 || $0 == 0x09 }
        return word.count > dashes.count && begin.starts(with: word) ? word.startIndex : nil
    }

    static func read(_ piece: InputBlock) -> CertificateBatch {
        var batch = CertificateBatch()
        batch.reserve(piece.bytes.count * 3 / 4)
        let bytes = piece.bytes
        var (line, counted) = (piece.line, 0)
        func place(of offset: Int) -> CertificateBatch.Place {
            line += bytes[counted..<offset].count { $0 == 0x0a }
            counted = offset
            return CertificateBatch.Place(line: line)
        }
        var (start, end, isAfterBlock) = (0, 0, piece.isAfterBlock)
        while true {
            let next = block(in: bytes, from: start)
            let between = end..<max(end, next?.start ?? bytes.count)
            if let other = otherForm(in: bytes[between], isAfterBlock: isAfterBlock) {
                batch.appendUndecoded(at: place(of: other))
            }
            guard let found = next else { break }
            (start, end, isAfterBlock) = (found.next, found.next, false)
            if case .closed(_, let last) = found.ending { (end, isAfterBlock) = (last, true) }
            guard found.kind != .other else { continue }
            let here = place(of: found.start)
            // A trusted certificate is followed by what it is trusted for.
            if found.kind == .certificate, case .closed(let content, _) = found.ending,
                let der = decoded(bytes[content]),
                case .at(let end) = DERElement.end(in: der, at: 0)
            {
                batch.append(der[..<end], at: here)
            } else {
                batch.appendUndecoded(at: here)
            }
        }
        return batch
    }

    private static func decoded(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        let der = Data(base64Encoded: Data(unescaped(content)), options: .ignoreUnknownCharacters).map(Array.init)
        return der?.isEmpty == false ? der : nil
    }
}
