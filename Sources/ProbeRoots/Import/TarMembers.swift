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

    /// Returns the files as unpacking leaves them: the last one of a name, and links to files of the archive as those files.
    ///
    /// - Throws: ``InputError`` if the archive ends within a file, a header is broken, or a file can't be read as it is.
    func all() throws(InputError) -> [RootArchive.Member] {
        var files = TarFiles(of: archive)
        var (offset, headers) = (0, 0)
        var records = TarRecords()
        while true {
            // A block of zeros ends the archive; one without was cut short.
            guard offset + Self.block <= bytes.count else { throw archive.broken() }
            guard bytes[offset..<offset + Self.block].contains(where: { $0 != 0 }) else { return try files.all() }
            headers += 1
            guard headers <= RootArchive.maximumFiles else { throw archive.tooLarge() }
            let header = bytes[offset..<offset + Self.block]
            guard Self.isHeader(header), let size = Self.number(header, 124, 12),
                size <= bytes.count - offset - Self.block
            else { throw archive.broken() }
            let start = offset + Self.block
            let content = bytes[start..<start + size]
            let kind = header[offset + 156]
            if !records.add(content, kind: kind) {
                let name = records.path ?? Self.name(header)
                let target = records.linkPath ?? Self.text(header[offset + 157..<offset + 257])
                guard max(name.count, target.count) <= TarTree.maximumPath else { throw archive.broken() }
                guard !records.isSparse else { throw Self.inParts(name, archive) }
                switch kind {
                // A contiguous file is one like others (POSIX.1-1988).
                case UInt8(ascii: "0"), UInt8(ascii: "7"), 0: try files.add(name, Array(content))
                case UInt8(ascii: "1"): try files.addLink(name, to: target)
                case UInt8(ascii: "2"): try files.addSymbolicLink(name, to: target)
                case UInt8(ascii: "M"), UInt8(ascii: "S"): throw Self.inParts(name, archive)
                default: break
                }
                records = TarRecords()
            }
            offset = start + (size + Self.block - 1) / Self.block * Self.block
        }
    }

    /// A sparse file of GNU's, or one that goes on from another archive: its bytes are not those that unpacking leaves.
    private static func inParts(_ name: TarFiles.Name, _ archive: RootArchive) -> InputError {
        archive.error(
            "has \(TarFiles.shown(name)) in parts, which are not put together here",
            remedy: "unpack it and give the folder")
    }

    private static func isHeader(_ header: ArraySlice<UInt8>) -> Bool {
        let sum = header.enumerated().reduce(0) { sum, byte in
            // The checksum itself counts as blanks.
            sum + ((148..<156).contains(byte.offset) ? 0x20 : Int(byte.element))
        }
        return number(header, 148, 8) == sum
    }

    /// Returns a number in octal digits; nil if it is not one, or one in base 256, which only files of gigabytes have.
    private static func number(_ header: ArraySlice<UInt8>, _ offset: Int, _ length: Int) -> Int? {
        let start = header.startIndex + offset
        let digits = header[start..<start + length].drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
            .flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func name(_ header: ArraySlice<UInt8>) -> TarFiles.Name {
        let start = header.startIndex
        let prefix = text(header[start + 345..<start + 500])
        let name = text(header[start..<start + 100])
        return prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> TarFiles.Name { Array(bytes.prefix { $0 != 0 }) }
}
