/// The attributes of a file that do not fit into its header, in blocks before it (POSIX.1-2001, and GNU's long names).
struct TarRecords {
    private(set) var path: TarFiles.Name?
    /// The target of a link.
    private(set) var linkPath: TarFiles.Name?
    /// True for a file of GNU's that leaves out its zeros.
    private(set) var isSparse = false

    /// Adds the content of a block.
    ///
    /// - Returns: false if it is not of this kind, but the file itself.
    mutating func add(_ content: ArraySlice<UInt8>, kind: UInt8) -> Bool {
        switch kind {
        case UInt8(ascii: "L"): path = TarMembers.text(content)
        case UInt8(ascii: "K"): linkPath = TarMembers.text(content)
        case UInt8(ascii: "x"): addRecords(content)
        default: return false
        }
        return true
    }

    /// Adds records like `30 path=some/name`, each with its length and a line break.
    private mutating func addRecords(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let blank = rest.firstIndex(of: 0x20),
            let length = Int(String(decoding: rest[..<blank], as: UTF8.self)), length > 0, length <= rest.count,
            blank < rest.startIndex + length
        {
            let record = rest[(blank + 1)..<(rest.startIndex + length)]
            if let value = Self.value(of: "path=", in: record) { path = value }
            if let value = Self.value(of: "linkpath=", in: record) { linkPath = value }
            if record.starts(with: "GNU.sparse.".utf8) { isSparse = true }
            rest = rest.dropFirst(length)
        }
    }

    private static func value(of key: String, in record: ArraySlice<UInt8>) -> TarFiles.Name? {
        guard record.starts(with: key.utf8) else { return nil }
        return Array(record.dropFirst(key.utf8.count).prefix { $0 != 0x0a })
    }
}
