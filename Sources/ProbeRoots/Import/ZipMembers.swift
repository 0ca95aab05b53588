import ProbeKit
import ProbePacking

/// The files of a ZIP archive, found through its directory at the end, as Python finds those of a wheel.
struct ZipMembers {
    private let bytes: [UInt8]
    private let archive: RootArchive

    init(_ bytes: [UInt8], _ archive: RootArchive) {
        self.bytes = bytes
        self.archive = archive
    }

    /// - Throws: ``InputError`` if the directory is broken, or a file can't be unpacked.
    func all() throws(InputError) -> [RootArchive.Member] {
        guard let end, let count = number(end + 10, 2), let start = number(end + 16, 4), start <= end else {
            throw archive.broken()
        }
        guard count < 0xffff, start < 0xffff_ffff else {
            throw archive.error("is an archive in ZIP64", remedy: "unpack it and give the file with the certificates")
        }
        guard count <= RootArchive.maximumFiles else { throw archive.tooLarge() }
        var members: [RootArchive.Member] = []
        var offset = start
        var room = RootArchive.maximumBytes
        for _ in 0..<count {
            guard number(offset, 4) == 0x0201_4b50, let name = number(offset + 28, 2),
                let extra = number(offset + 30, 2),
                let comment = number(offset + 32, 2), offset + 46 + name <= end
            else { throw archive.broken() }
            let text = String(decoding: bytes[offset + 46..<offset + 46 + name], as: UTF8.self)
            if !text.hasSuffix("/") {
                let member = RootArchive.Member(name: text, bytes: try content(at: offset, text, limit: room))
                room -= member.bytes.count
                members.append(member)
            }
            offset += 46 + name + extra + comment
        }
        return members
    }

    private func content(at offset: Int, _ name: String, limit: Int) throws(InputError) -> [UInt8] {
        guard let flags = number(offset + 8, 2), let method = number(offset + 10, 2),
            let checksum = number(offset + 16, 4), let packed = number(offset + 20, 4),
            let size = number(offset + 24, 4), let header = number(offset + 42, 4),
            number(header, 4) == 0x0403_4b50, let nameLength = number(header + 26, 2),
            let extra = number(header + 28, 2), case let start = header + 30 + nameLength + extra,
            start <= bytes.count, packed <= bytes.count - start
        else { throw archive.broken() }
        guard flags & 1 == 0, method == 0 || method == 8 else {
            throw archive.error(
                "has a \(PrintableText.escape(name)) that is encrypted or packed in an unusual way",
                remedy: "unpack it and give the file with the certificates")
        }
        guard size <= limit else { throw archive.tooLarge() }
        let data = bytes[start..<start + packed]
        let content =
            method == 0 ? Array(data) : try archive.unpacked(data, .deflate, limit: size, name: name)
        guard content.count == size, Unpacked.checksum(content) == checksum else { throw archive.broken() }
        return content
    }

    /// The position of the record at the end; a comment may follow it.
    private var end: Int? {
        let last = bytes.count - 22
        guard last >= 0 else { return nil }
        return stride(from: last, through: max(0, last - 0xffff), by: -1).first { offset in
            number(offset, 4) == 0x0605_4b50 && number(offset + 20, 2) == last - offset
        }
    }

    /// Returns a number, which has its lowest byte first; nil outside of the bytes.
    private func number(_ offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - length else { return nil }
        return (0..<length).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}
