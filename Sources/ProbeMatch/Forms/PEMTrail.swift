/// The end of the PEM text before a piece of an input. JSON right behind a block is not read and must be reported, also where
/// the piece ends between the two. A search that goes on learns it from the bytes that it skips.
struct PEMTrail {
    private static let endMark = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    /// The room for a block's last mark, its label included.
    private static let maximum = 256

    /// The last bytes, with one byte of the white space at their end.
    private var bytes: [UInt8] = []

    /// True if the text ends with a block and white space after it at most.
    var isAfterBlock: Bool {
        let end = bytes.lastIndex { !InputForm.isBlank($0) }.map { $0 + 1 } ?? 0
        var label = 0
        while let mark = bytes.firstRange(of: Self.endMark, in: label..<end) { label = mark.upperBound }
        guard label > 0, !bytes[label..<end].contains(where: { $0 == 0x0a || $0 == 0x0d }) else { return false }
        // A last mark without dashes ends with its line.
        return bytes.firstRange(of: Self.dashes, in: label..<end).map { $0.upperBound == end } ?? true
    }

    /// Adds the bytes that follow.
    mutating func append(_ next: ArraySlice<UInt8>) {
        guard let last = next.lastIndex(where: { !InputForm.isBlank($0) }) else {
            if let first = next.first, bytes.last.map({ !InputForm.isBlank($0) }) ?? false { bytes.append(first) }
            return
        }
        bytes += next[...last].suffix(Self.maximum)
        bytes += next[(last + 1)...].prefix(1)
        bytes.removeFirst(max(0, bytes.count - Self.maximum))
    }
}
