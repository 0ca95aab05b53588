/// The texts of an Android resource file, which its other parts refer to by number.
///
/// Each is decoded when it is asked for: a hostile pool may have any number of them in the same bytes.
final class ResourceStrings {
    private let data: LittleEndian
    private let start: Int
    private let end: Int
    private let count: Int
    private let isUTF8: Bool
    private let texts: Int
    private var decoded: [Int: String] = [:]

    /// - Returns: nil if the chunk is not a pool of texts.
    init?(_ data: LittleEndian, at start: Int, end: Int) {
        guard data.uint16(start) == 0x0001, let count = data.uint32(start + 8), let flags = data.uint32(start + 16),
            let texts = data.uint32(start + 20), let header = data.uint16(start + 2), header >= 28,
            end - start >= header, count <= (end - start - header) / 4
        else { return nil }
        self.data = data
        self.start = start + header
        self.end = end
        self.count = count
        self.texts = start + texts
        isUTF8 = flags & 0x100 != 0
    }

    /// - Returns: nil if there is no such text.
    subscript(index: Int) -> String? {
        if let text = decoded[index] { return text }
        guard 0..<count ~= index, let offset = data.uint32(start + 4 * index), let text = text(at: texts + offset)
        else {
            return nil
        }
        decoded[index] = text
        return text
    }

    private func text(at offset: Int) -> String? {
        guard isUTF8 else {
            guard let first = data.uint16(offset), let second = data.uint16(offset + 2) else { return nil }
            let isLong = first & 0x8000 != 0
            let length = isLong ? (first & 0x7fff) << 16 | second : first
            let start = offset + (isLong ? 4 : 2)
            guard start <= end, length <= (end - start) / 2 else { return nil }
            let units = (0..<length).compactMap { data.uint16(start + 2 * $0).map(UInt16.init) }
            return String(decoding: units, as: UTF16.self)
        }
        // The length in UTF-16 comes first, then that in bytes; each has one byte or two.
        guard let (_, second) = shortLength(at: offset), let (length, start) = shortLength(at: second),
            start <= end, length <= end - start
        else { return nil }
        return String(decoding: data.bytes[start..<start + length], as: UTF8.self)
    }

    private func shortLength(at offset: Int) -> (length: Int, next: Int)? {
        guard offset >= 0, offset < end - 1 else { return nil }
        let first = Int(data.bytes[offset])
        guard first & 0x80 != 0 else { return (first, offset + 1) }
        return ((first & 0x7f) << 8 | Int(data.bytes[offset + 1]), offset + 2)
    }
}
