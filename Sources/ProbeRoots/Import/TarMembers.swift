import ProbeKit

/// The files of a tar archive (POSIX.1-2001, and GNU's long names).
struct TarMembers {
    private static let block = 512

    private let bytes: [UInt8]
    private let archive: RootArchive

    init(_ bytes: [UInt8], _ archive: RootArchive) {
        self.bytes = bytes
        self.archive = archive
    }

    /// Returns true if the first block is a header with a right checksum.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        bytes.count >= block && isHeader(bytes[..<block]) && bytes[257..<262].elementsEqual("ustar".utf8)
    }

    /// - Throws: ``InputError`` if the archive ends within a file, or a header is broken.
    func all() throws(InputError) -> [RootArchive.Member] {
        var members: [RootArchive.Member] = []
        var (offset, headers) = (0, 0)
        var longName: String?
        while true {
            // A block of zeros ends the archive; one without was cut short.
            guard offset + Self.block <= bytes.count else { throw archive.broken() }
            guard bytes[offset..<offset + Self.block].contains(where: { $0 != 0 }) else { return members }
            headers += 1
            guard headers <= RootArchive.maximumFiles else { throw archive.tooLarge() }
            let header = bytes[offset..<offset + Self.block]
            guard Self.isHeader(header), let size = Self.number(header, 124, 12),
                size <= bytes.count - offset - Self.block
            else { throw archive.broken() }
            let start = offset + Self.block
            let content = bytes[start..<start + size]
            switch header[offset + 156] {
            case UInt8(ascii: "L"): longName = Self.text(content)
            case UInt8(ascii: "x"): longName = Self.path(inRecords: content) ?? longName
            case UInt8(ascii: "0"), 0:
                members.append(.init(name: longName ?? Self.name(header), bytes: Array(content)))
                longName = nil
            default: longName = nil
            }
            offset = start + (size + Self.block - 1) / Self.block * Self.block
        }
    }

    private static func isHeader(_ header: ArraySlice<UInt8>) -> Bool {
        let sum = header.enumerated().reduce(0) { sum, byte in
            // The checksum itself counts as blanks.
            sum + ((148..<156).contains(byte.offset) ? 0x20 : Int(byte.element))
        }
        return number(header, 148, 8) == sum
    }

    /// Returns a number in octal digits; nil if it is none, or one in base 256, which only files of gigabytes have.
    private static func number(_ header: ArraySlice<UInt8>, _ offset: Int, _ length: Int) -> Int? {
        let start = header.startIndex + offset
        let digits = header[start..<start + length].drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
            .flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func name(_ header: ArraySlice<UInt8>) -> String {
        let start = header.startIndex
        let prefix = text(header[start + 345..<start + 500])
        let name = text(header[start..<start + 100])
        return prefix.isEmpty ? name : "\(prefix)/\(name)"
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the path among records like `30 path=some/name`, each with its length and a line break.
    private static func path(inRecords bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes
        while let blank = rest.firstIndex(of: 0x20),
            let length = Int(String(decoding: rest[..<blank], as: UTF8.self)), length > 0, length <= rest.count,
            blank < rest.startIndex + length
        {
            let record = rest[(blank + 1)..<(rest.startIndex + length)]
            if record.starts(with: "path=".utf8) {
                return String(decoding: record.dropFirst(5).prefix { $0 != 0x0a }, as: UTF8.self)
            }
            rest = rest.dropFirst(length)
        }
        return nil
    }
}
