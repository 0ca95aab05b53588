/// The first header of a tar archive.
enum TarHeader {
    private static let size = 512
    private static let name = 0..<100
    private static let checksum = 148..<156
    private static let mark = 257..<263

    /// Returns true for an archive: its header has the mark of POSIX.1-1988 or GNU, or else the checksum of its bytes.
    static func recognises(_ bytes: [UInt8]) -> Bool {
        // A text may have the mark's word at this place.
        guard bytes.count > mark.upperBound, bytes[..<mark.lowerBound].contains(0) else { return false }
        let hasMark = bytes[mark].starts(with: "ustar".utf8) && (bytes[262] == 0 || bytes[262] == 0x20)
        return hasMark || hasChecksum(bytes)
    }

    /// Returns true if the octal number in the checksum's field is the sum of the header's bytes, those of the field as blanks.
    private static func hasChecksum(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= size, bytes[name.lowerBound] != 0 else { return false }
        let digits = bytes[checksum].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        let sum = bytes[..<checksum.lowerBound].reduce(0x20 * checksum.count) { $0 + Int($1) }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
            == bytes[checksum.upperBound..<size].reduce(sum) { $0 + Int($1) }
    }
}
