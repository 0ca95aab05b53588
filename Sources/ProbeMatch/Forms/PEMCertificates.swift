import Foundation

/// Certificates in PEM blocks (RFC 7468), of all labels that OpenSSL reads as one.
enum PEMCertificates {
    static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let labels = Set(["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].map { Array($0.utf8) })
    /// The longest block: base64 of the largest certificate.
    private static let maximumBlock = 2 << 20

    /// Returns the end of the last whole block, or of the last line if no block is open.
    static func lastBoundary(in bytes: [UInt8]) -> Int {
        var start = 0
        while let open = bytes.firstRange(of: begin, in: start..<bytes.count) {
            guard let close = bytes.firstRange(of: end, in: open.upperBound..<bytes.count),
                let line = bytes[close.upperBound...].firstIndex(of: 0x0a)
            else { return bytes.count - open.lowerBound > maximumBlock ? bytes.count : open.lowerBound }
            start = line + 1
        }
        // A beginning that is cut in two stays with what follows.
        return max(start, (bytes.lastIndex(of: 0x0a) ?? -1) + 1)
    }

    /// Returns the beginning of a certificate's block without an end; nil if all have one.
    static func openBlock(in bytes: [UInt8]) -> Int? {
        var start = 0
        while let open = bytes.firstRange(of: begin, in: start..<bytes.count) {
            guard let label = bytes.firstRange(of: dashes, in: open.upperBound..<bytes.count) else { return nil }
            guard let close = bytes.firstRange(of: end, in: label.upperBound..<bytes.count) else {
                let isOurs = labels.contains(Array(bytes[open.upperBound..<label.lowerBound]))
                return isOurs && isLineEnd(label.upperBound, in: bytes) ? open.lowerBound : nil
            }
            start = close.upperBound
        }
        return nil
    }

    /// Returns true if a block's first line ends there. A text that quotes it goes on.
    private static func isLineEnd(_ index: Int, in bytes: [UInt8]) -> Bool {
        index >= bytes.count || [0x0a, 0x0d, 0x20, 0x09].contains(bytes[index])
    }

    static func read(_ block: InputBlock) -> CertificateBatch {
        var batch = CertificateBatch()
        batch.reserve(block.bytes.count * 3 / 4)
        let bytes = block.bytes
        var (start, line, counted) = (0, block.line, 0)
        while let open = bytes.firstRange(of: begin, in: start..<bytes.count) {
            line += bytes[counted..<open.lowerBound].count { $0 == 0x0a }
            counted = open.lowerBound
            guard let label = bytes.firstRange(of: dashes, in: open.upperBound..<bytes.count) else { break }
            start = label.upperBound
            guard labels.contains(Array(bytes[open.upperBound..<label.lowerBound])) else { continue }
            let place = CertificateBatch.Place(line: line)
            let isLine = isLineEnd(label.upperBound, in: bytes)
            guard let close = bytes.firstRange(of: end, in: label.upperBound..<bytes.count) else {
                if isLine { batch.appendUndecoded(at: place) }
                break
            }
            let text = Data(bytes[label.upperBound..<close.lowerBound])
            // A trusted certificate is followed by what it is trusted for.
            if let der = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init), !der.isEmpty,
                case .at(let end) = DERElement.end(in: der, at: 0)
            {
                batch.append(der[..<end], at: place)
            } else if isLine {
                batch.appendUndecoded(at: place)
            }
            start = close.upperBound
        }
        return batch
    }
}
