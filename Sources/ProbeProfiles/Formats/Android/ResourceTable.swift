import ProbeKit
import ProbePacking

/// An APK's table of resources, as far as needed to find the file of one.
struct ResourceTable {
    private let input: FormatInput
    private let data: LittleEndian

    private static let maximumReferences = 8

    init(_ input: FormatInput) {
        self.input = input
        data = LittleEndian(bytes: input.bytes)
    }

    /// Returns the files of a resource, that for any device first.
    ///
    /// - Throws: ``InputError`` if the table is broken.
    func files(of id: Int) throws(InputError) -> [String] {
        guard data.uint16(0) == 0x0002, let header = data.uint16(2), let size = data.uint32(4), size <= data.bytes.count
        else { throw broken() }
        var strings: ResourceStrings?
        var packages: [Range<Int>] = []
        for chunk in try chunks(header..<size) {
            switch data.uint16(chunk.lowerBound) {
            case 0x0001 where strings == nil:
                strings = ResourceStrings(data, at: chunk.lowerBound, end: chunk.upperBound)
            case 0x0200: packages.append(chunk)
            default: break
            }
        }
        guard let strings else { throw broken() }
        var files: [(name: String, isForAny: Bool)] = []
        var (pending, seen) = ([id], Set<Int>())
        while let next = pending.popLast(), seen.count < Self.maximumReferences {
            guard seen.insert(next).inserted else { continue }
            for value in try values(of: next, packages) {
                switch value.kind {
                case 0x03:
                    if let name = strings[value.data] { files.append((name, value.isForAny)) }
                case 0x01, 0x07: pending.append(value.data)
                default: break
                }
            }
        }
        var names: [String] = []
        for file in files.filter(\.isForAny) + files where !names.contains(file.name) { names.append(file.name) }
        return names
    }

    private struct Value {
        let kind: Int
        let data: Int
        /// True if it is for devices of every kind.
        let isForAny: Bool
    }

    private func values(of id: Int, _ packages: [Range<Int>]) throws(InputError) -> [Value] {
        let (package, type, entry) = (id >> 24, id >> 16 & 0xff, id & 0xffff)
        var values: [Value] = []
        for range in packages where data.uint32(range.lowerBound + 8) == package {
            guard let header = data.uint16(range.lowerBound + 2), header >= 8, header <= range.count else {
                throw broken()
            }
            for chunk in try chunks(range.lowerBound + header..<range.upperBound)
            where data.uint16(chunk.lowerBound) == 0x0201 && Int(data.bytes[chunk.lowerBound + 8]) == type {
                if let value = try value(of: entry, in: chunk) { values.append(value) }
            }
        }
        return values
    }

    /// Returns the value that one kind of device has.
    private func value(of entry: Int, in chunk: Range<Int>) throws(InputError) -> Value? {
        let start = chunk.lowerBound
        guard chunk.count >= 24, let header = data.uint16(start + 2), let count = data.uint32(start + 12),
            let entries = data.uint32(start + 16), let width = data.uint32(start + 20),
            header >= 24, header <= chunk.count, width >= 4, width <= header - 20
        else { throw broken() }
        let flags = Int(data.bytes[start + 9])
        guard let offset = offset(of: entry, count: count, flags: flags, at: start + header, end: chunk.upperBound)
        else { return nil }
        let place = start + entries + offset
        let isForAny = data.bytes[start + 24..<start + 20 + width].allSatisfy { $0 == 0 }
        guard place <= chunk.upperBound - 8, let size = data.uint16(place), let kind = data.uint16(place + 2) else {
            throw broken()
        }
        if kind & 0x8 != 0 {
            guard let value = data.uint32(place + 4) else { throw broken() }
            return Value(kind: kind >> 8, data: value, isForAny: isForAny)
        }
        // A bag of values is not a file.
        guard kind & 0x1 == 0 else { return nil }
        guard place + size <= chunk.upperBound - 8, let value = data.uint32(place + size + 4) else { throw broken() }
        return Value(kind: Int(data.bytes[place + size + 3]), data: value, isForAny: isForAny)
    }

    /// Returns the position of an entry among those of a type; nil if that kind of device has none.
    private func offset(of entry: Int, count: Int, flags: Int, at start: Int, end: Int) -> Int? {
        let isSparse = flags & 1 != 0
        let isShort = flags & 2 != 0
        if isSparse {
            guard count <= (end - start) / 4 else { return nil }
            let index = (0..<count).first { data.uint16(start + 4 * $0) == entry }
            return index.flatMap { data.uint16(start + 4 * $0 + 2) }.map { 4 * $0 }
        }
        guard entry < count else { return nil }
        if isShort {
            guard let offset = data.uint16(start + 2 * entry), offset != 0xffff else { return nil }
            return 4 * offset
        }
        guard let offset = data.uint32(start + 4 * entry), offset != 0xffff_ffff else { return nil }
        return offset
    }

    private func chunks(_ range: Range<Int>) throws(InputError) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard let length = data.uint32(offset + 4), length >= 12, length <= range.upperBound - offset else {
                throw broken()
            }
            chunks.append(offset..<offset + length)
            offset += length
        }
        return chunks
    }

    private func broken() -> InputError {
        input.refuse("is a broken table of resources", remedy: "build the app again")
    }
}

/// The texts of an Android resource file, which its other parts refer to by number.
///
/// Each is decoded on use: a hostile pool may have any number of them in the same bytes.
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
