import ProbeKit
import ProbePacking

/// The files of a ZIP archive, found through its directory at the end, as Android and iOS do.
///
/// A file is unpacked on use, and only up to its caller's limit.
struct ZipArchive {
    private struct Entry {
        let method: Int
        let isEncrypted: Bool
        let checksum: Int
        let packed: Int
        let size: Int
        let header: Int
        var isRepeated = false
    }

    private let input: FormatInput
    private let data: LittleEndian
    private var entries: [String: Entry] = [:]
    /// The names, in the order of the directory.
    private(set) var names: [String] = []

    static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4b, 3, 4]) }

    /// - Throws: ``InputError`` if the directory is broken.
    init(_ input: FormatInput) throws(InputError) {
        self.input = input
        data = LittleEndian(bytes: input.bytes)
        guard let end = Self.end(of: data), let count = data.uint16(end + 10), let size = data.uint32(end + 12),
            let start = data.uint32(end + 16)
        else { throw input.refuse("is a broken archive: it has no directory", remedy: "build the app again") }
        guard count < 0xffff, size < 0xffff_ffff, start < 0xffff_ffff, start <= end, size <= end - start else {
            throw input.refuse(
                "is an archive in ZIP64, or its directory is broken",
                remedy: "unpack it and give the file with the pins")
        }
        var offset = start
        for _ in 0..<count { offset = try add(at: offset, before: end) }
    }

    func has(_ name: String) -> Bool { entries[name] != nil }

    /// Returns a file, unpacked.
    ///
    /// - Throws: ``InputError`` if it is not there, larger than `limit`, broken, or there twice.
    func file(_ name: String, limit: Int) throws(InputError) -> [UInt8] {
        guard let entry = entries[name] else {
            throw input.refuse("has no \(name)", remedy: "give the app as it is shipped")
        }
        guard !entry.isRepeated else {
            throw input.refuse("has \(name) twice, and readers differ on which counts", remedy: "build the app again")
        }
        guard !entry.isEncrypted, entry.method == 0 || entry.method == 8 else {
            throw input.refuse(
                "has a \(name) that is encrypted or packed in an unusual way",
                remedy: "unpack it and give the file with the pins")
        }
        guard entry.size <= limit else {
            throw input.refuse(
                "has a \(name) of \(entry.size) bytes", remedy: "such a file has at most \(limit) bytes")
        }
        guard data.uint32(entry.header) == 0x0403_4b50, let name16 = data.uint16(entry.header + 26),
            let extra = data.uint16(entry.header + 28),
            case let start = entry.header + 30 + name16 + extra, start <= data.bytes.count,
            entry.packed <= data.bytes.count - start
        else { throw broken(name) }
        let packed = data.bytes[start..<start + entry.packed]
        let content = entry.method == 0 ? Array(packed) : try? Unpacked.bytes(packed, .deflate, limit: entry.size)
        guard let content, content.count == entry.size, Unpacked.checksum(content) == entry.checksum else {
            throw broken(name)
        }
        return content
    }

    private func broken(_ name: String) -> InputError {
        input.refuse("has a \(name) that can't be unpacked", remedy: "build the app again")
    }

    /// Adds an entry of the directory.
    ///
    /// - Returns: the start of the next one.
    private mutating func add(at offset: Int, before end: Int) throws(InputError) -> Int {
        guard data.uint32(offset) == 0x0201_4b50, offset <= end - 46, let flags = data.uint16(offset + 8),
            let method = data.uint16(offset + 10), let checksum = data.uint32(offset + 16),
            let packed = data.uint32(offset + 20), let size = data.uint32(offset + 24),
            let nameLength = data.uint16(offset + 28), let extra = data.uint16(offset + 30),
            let comment = data.uint16(offset + 32), let header = data.uint32(offset + 42),
            offset + 46 + nameLength <= end
        else { throw input.refuse("is an archive whose directory is broken", remedy: "build the app again") }
        let name = String(decoding: data.bytes[offset + 46..<offset + 46 + nameLength], as: UTF8.self)
        if entries[name] != nil {
            entries[name]?.isRepeated = true
        } else {
            names.append(name)
            entries[name] = Entry(
                method: method, isEncrypted: flags & 1 != 0, checksum: checksum, packed: packed, size: size,
                header: header)
        }
        return offset + 46 + nameLength + extra + comment
    }

    /// Returns the position of the record at the end; a comment may follow it.
    private static func end(of data: LittleEndian) -> Int? {
        let last = data.bytes.count - 22
        guard last >= 0 else { return nil }
        return stride(from: last, through: max(0, last - 0xffff), by: -1).first { offset in
            data.uint32(offset) == 0x0605_4b50 && data.uint16(offset + 20) == last - offset
        }
    }
}

/// Numbers of archives and of Android's binary resources, which have their lowest byte first.
struct LittleEndian {
    let bytes: [UInt8]

    /// - Returns: nil outside of the bytes.
    func uint16(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// - Returns: nil outside of the bytes.
    func uint32(_ offset: Int) -> Int? {
        guard let low = uint16(offset), let high = uint16(offset + 2) else { return nil }
        return low | high << 16
    }
}
