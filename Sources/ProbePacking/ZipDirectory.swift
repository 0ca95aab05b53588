/// The files of a ZIP archive, found through the directory at its end, as Android, iOS and Python do (APPNOTE.TXT 4.3).
///
/// A file is unpacked on use, and only up to its caller's limit.
package struct ZipDirectory: Sendable {
    /// One file, or a folder, whose name ends with a slash.
    package struct Entry: Sendable {
        package let name: String
        /// The size of the unpacked file, in bytes, by the directory.
        package let size: Int
        fileprivate let isEncrypted: Bool
        fileprivate let method: Int
        fileprivate let checksum: Int
        fileprivate let packed: Int
        fileprivate let header: Int
    }

    /// The reason why an archive or a file of it can't be read.
    package enum Fault: Error, Equatable {
        /// The bytes have no directory.
        case noDirectory
        /// The archive is in ZIP64, or its directory is not where it should be.
        case zip64
        /// The directory is broken.
        case broken
        /// The file is encrypted, or packed by another method than Deflate.
        case unusual
        /// The file is larger than the limit.
        case tooLarge
        /// The file's bytes are not those that the directory has the size and the checksum of.
        case spoiled
    }

    private static let (entryMark, fileMark, endMark) = (0x0201_4b50, 0x0403_4b50, 0x0605_4b50)
    private static let (stored, deflated) = (0, 8)

    private let data: LittleEndian
    /// In the order of the directory. A name may occur more than once; readers differ on which file counts.
    package let entries: [Entry]

    /// True if the bytes begin as an archive with files does.
    package static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4b, 3, 4]) }

    /// Reads the directory.
    package init(_ bytes: [UInt8]) throws(Fault) {
        data = LittleEndian(bytes: bytes)
        guard let end = Self.end(of: data), let count = data.uint16(end + 10), let size = data.uint32(end + 12),
            let start = data.uint32(end + 16)
        else { throw .noDirectory }
        guard count < 0xffff, size < 0xffff_ffff, start < 0xffff_ffff, start <= end, size <= end - start else {
            throw .zip64
        }
        var entries: [Entry] = []
        var offset = start
        for _ in 0..<count { entries.append(try Self.entry(of: data, at: &offset, before: end)) }
        self.entries = entries
    }

    /// The names of files that occur more than once, byte by byte: two spellings of a letter are two names.
    package var repeatedNames: Set<String> {
        var seen: Set<[UInt8]> = []
        return Set(entries.map(\.name).filter { !$0.hasSuffix("/") && !seen.insert(Array($0.utf8)).inserted })
    }

    /// Returns a file, unpacked.
    ///
    /// - Parameter limit: the most bytes that are taken.
    package func content(of entry: Entry, limit: Int) throws(Fault) -> [UInt8] {
        guard !entry.isEncrypted, [Self.stored, Self.deflated].contains(entry.method) else { throw .unusual }
        guard entry.size <= limit else { throw .tooLarge }
        guard data.uint32(entry.header) == Self.fileMark, let name = data.uint16(entry.header + 26),
            let extra = data.uint16(entry.header + 28), case let start = entry.header + 30 + name + extra,
            start <= data.bytes.count, entry.packed <= data.bytes.count - start
        else { throw .spoiled }
        let packed = data.bytes[start..<start + entry.packed]
        let content =
            entry.method == Self.stored ? Array(packed) : try? Unpacked.bytes(packed, .deflate, limit: entry.size)
        guard let content, content.count == entry.size, Unpacked.checksum(content) == entry.checksum else {
            throw .spoiled
        }
        return content
    }

    /// Returns the entry at an offset, which is then the next one's.
    private static func entry(of data: LittleEndian, at offset: inout Int, before end: Int) throws(Fault) -> Entry {
        guard data.uint32(offset) == entryMark, offset <= end - 46, let flags = data.uint16(offset + 8),
            let method = data.uint16(offset + 10), let checksum = data.uint32(offset + 16),
            let packed = data.uint32(offset + 20), let size = data.uint32(offset + 24),
            let nameLength = data.uint16(offset + 28), let extra = data.uint16(offset + 30),
            let comment = data.uint16(offset + 32), let header = data.uint32(offset + 42),
            offset + 46 + nameLength <= end
        else { throw .broken }
        let bytes = data.bytes[offset + 46..<offset + 46 + nameLength]
        // Names in an old code page stay different ones.
        let name =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        offset += 46 + nameLength + extra + comment
        return Entry(
            name: name, size: size, isEncrypted: flags & 1 != 0, method: method, checksum: checksum, packed: packed,
            header: header)
    }

    /// Returns the position of the record at the end; a comment may follow it.
    private static func end(of data: LittleEndian) -> Int? {
        let last = data.bytes.count - 22
        guard last >= 0 else { return nil }
        return stride(from: last, through: max(0, last - 0xffff), by: -1).first { offset in
            data.uint32(offset) == endMark && data.uint16(offset + 20) == last - offset
        }
    }
}
