/// The forms in which certificates come in numbers.
enum InputForm: Sendable {
    /// PEM blocks, with any text around them.
    case pem
    /// Certificates one after the other, DER.
    case der
    /// JSON, one text a line.
    case jsonLines
    /// JSON, a single text.
    case json
    /// A data tile of a certificate transparency log (static-ct-api).
    case tile

    /// The number of bytes by which a form is recognised, unless a file is smaller.
    static let telling = 1 << 16
    /// The largest value that is kept whole: a log answers a thousand entries in one line of JSON.
    static let maximumUnit = 64 << 20

    /// Recognises the form of an input by its beginning; nil if there are no certificates in it.
    init?(of bytes: [UInt8]) {
        if Self.isJSON(bytes[...]) {
            self = .jsonLines
        } else if DERElement.isCertificate(bytes[...]) {
            self = .der
        } else if bytes.firstRange(of: PEMCertificates.begin, in: bytes.indices) != nil {
            self = .pem
        } else if bytes.first == 0, CTEntry.Tile.isBeginning(bytes) {
            self = .tile
        } else {
            return nil
        }
    }

    /// Returns true for the beginning of a text, which may have blocks of PEM further on.
    static func isText(_ bytes: [UInt8]) -> Bool { !bytes.prefix(telling).contains { $0 < 0x09 } }

    /// Returns true for white space, as between the values of JSON (RFC 8259 section 2).
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

    /// Returns true for the beginning of an object, or of an array of what can have a certificate. A log's `[2026-01-01]` and
    /// the `[section]` of settings are not.
    static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = bytes.dropFirst(JSONCertificates.byteOrderMark(of: bytes)).lazy.filter { !isBlank($0) }
            .prefix(2)
        guard let first = text.first, let second = text.dropFirst().first else { return false }
        switch first {
        case UInt8(ascii: "{"): return second == UInt8(ascii: "\"") || second == UInt8(ascii: "}")
        case UInt8(ascii: "["): return "{[\"]".utf8.contains(second)
        default: return false
        }
    }

    /// True if places in it are given by line.
    var hasLines: Bool { self == .pem || self == .json || self == .jsonLines }

    /// The part of a buffer that has whole certificates only.
    struct Cut {
        /// The number of bytes, from the beginning.
        var count: Int
        /// The fault of what follows, if there is one.
        var fault: String?
    }

    /// Returns the longest beginning of a buffer that cuts no certificate in two.
    func cut(_ bytes: [UInt8], isAtEnd: Bool) -> Cut {
        switch self {
        case .pem where isAtEnd:
            PEMCertificates.openBlock(in: bytes).map { Cut(count: $0, fault: "a last block that is cut short") }
                ?? Cut(count: bytes.count)
        case .pem: Cut(count: PEMCertificates.lastBoundary(in: bytes))
        case .json where isAtEnd && JSONCertificates.isOpen(bytes[...]):
            JSONCertificates.hasTornLine(bytes)
                ? Self.lines(of: bytes, isAtEnd: true) : Cut(count: 0, fault: "a text that is cut short")
        case .json: Cut(count: isAtEnd ? bytes.count : 0)
        case .jsonLines: Self.lines(of: bytes, isAtEnd: isAtEnd)
        case .der: Self.cut(bytes, isAtEnd: isAtEnd, "no certificate", DERElement.end)
        case .tile: Self.cut(bytes, isAtEnd: isAtEnd, "no entry of a log", CTEntry.Tile.end)
        }
    }

    /// A last line that goes on is tried again from its beginning: whoever writes the file may not have come further.
    private static func lines(of bytes: [UInt8], isAtEnd: Bool) -> Cut {
        let last = (bytes.lastIndex(of: 0x0a) ?? -1) + 1
        guard isAtEnd else { return Cut(count: last) }
        return JSONCertificates.isOpen(bytes[last...])
            ? Cut(count: last, fault: "a last line that is cut short") : Cut(count: bytes.count)
    }

    private static func cut(
        _ bytes: [UInt8], isAtEnd: Bool, _ fault: String, _ end: ([UInt8], Int) -> ElementEnd
    ) -> Cut {
        var count = 0
        while count < bytes.count {
            switch end(bytes, count) {
            case .at(let next): count = next
            case .beyond where !isAtEnd: return Cut(count: count)
            case .beyond: return Cut(count: count, fault: "a last value that is cut short")
            case .broken: return Cut(count: count, fault: fault)
            }
        }
        return Cut(count: count)
    }
}
