import ProbeKit

/// Binary property lists, as apps ship them.
///
/// An object can be used any number of times in one, so that a few bytes expand to any size: depth and the number of
/// values are limited.
struct BinaryPropertyList {
    private static let maximumDepth = 64
    private static let maximumValues = 250_000

    private let input: FormatInput
    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private var values = 0

    static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    static func read(_ input: FormatInput) throws(InputError) -> PropertyNode {
        var list = try BinaryPropertyList(input)
        return try list.node(try list.number(at: input.bytes.count - 16, size: 8), depth: 0)
    }

    private init(_ input: FormatInput) throws(InputError) {
        self.input = input
        bytes = input.bytes
        let trailer = bytes.count - 32
        guard bytes.starts(with: "bplist00".utf8), trailer >= 8 else { throw Self.broken(input) }
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize,
            let count = Self.number(bytes, at: trailer + 8, size: 8),
            let table = Self.number(bytes, at: trailer + 24, size: 8),
            table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
        else { throw Self.broken(input) }
        var offsets: [Int] = []
        for index in 0..<count {
            guard let offset = Self.number(bytes, at: table + index * offsetSize, size: offsetSize),
                8..<table ~= offset
            else { throw Self.broken(input) }
            offsets.append(offset)
        }
        self.offsets = offsets
    }

    private mutating func node(_ object: Int, depth: Int) throws(InputError) -> PropertyNode {
        values += 1
        guard depth < Self.maximumDepth, values <= Self.maximumValues else {
            throw input.refuse(
                "is a binary property list that nests too deeply or unfolds to too many values",
                remedy: "write it again with 'plutil -convert binary1'")
        }
        guard offsets.indices.contains(object) else { throw Self.broken(input) }
        let offset = offsets[object]
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0f))
        switch kind {
        case 0x0: return PropertyNode(content: low == 8 ? .flag(false) : low == 9 ? .flag(true) : .other)
        case 0x1:
            guard low <= 3, let number = Self.signed(bytes, at: offset + 1, size: 1 << low) else {
                return PropertyNode(content: .other)
            }
            return PropertyNode(content: .integer(number))
        case 0x2, 0x3, 0x4, 0x8: return PropertyNode(content: .other)
        case 0x5, 0x6, 0x7: return PropertyNode(content: .text(try text(kind, at: offset)))
        case 0xa, 0xc:
            let (start, count) = try length(at: offset, each: referenceSize)
            var nodes: [PropertyNode] = []
            for index in 0..<count { nodes.append(try node(try reference(start, index), depth: depth + 1)) }
            return PropertyNode(content: .list(nodes))
        case 0xd: return PropertyNode(content: .dictionary(try dictionary(at: offset, depth: depth)))
        default: throw Self.broken(input)
        }
    }

    private mutating func dictionary(at offset: Int, depth: Int) throws(InputError) -> [String: PropertyNode] {
        let (start, count) = try length(at: offset, each: 2 * referenceSize)
        var values: [String: PropertyNode] = [:]
        for index in 0..<count {
            guard case .text(let key) = try node(try reference(start, index), depth: depth + 1).content else {
                throw Self.broken(input)
            }
            let value = try node(try reference(start, count + index), depth: depth + 1)
            guard values.updateValue(value, forKey: key) == nil else {
                throw input.refuse("has '\(key)' twice", remedy: "keep one of them")
            }
        }
        return values
    }

    /// Reads ASCII, UTF-16 or UTF-8.
    private mutating func text(_ kind: UInt8, at offset: Int) throws(InputError) -> String {
        let (start, count) = try length(at: offset, each: kind == 0x6 ? 2 : 1)
        // A long text that is used many times is many values.
        values += count / 64
        let slice = bytes[start..<start + count * (kind == 0x6 ? 2 : 1)]
        guard kind == 0x6 else { return String(decoding: slice, as: UTF8.self) }
        let units = (0..<count).map { UInt16(slice[start + 2 * $0]) << 8 | UInt16(slice[start + 2 * $0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the position of an object's content, and its number of elements of a size.
    private func length(at offset: Int, each size: Int) throws(InputError) -> (start: Int, count: Int) {
        var (start, count) = (offset + 1, Int(bytes[offset] & 0x0f))
        if count == 0x0f {
            guard start < bytes.count, bytes[start] >> 4 == 0x1, bytes[start] & 0x0f <= 3,
                let long = Self.number(bytes, at: start + 1, size: 1 << Int(bytes[start] & 0x0f))
            else { throw Self.broken(input) }
            start += 1 + 1 << Int(bytes[start] & 0x0f)
            count = long
        }
        guard start <= bytes.count, count <= (bytes.count - start) / size else { throw Self.broken(input) }
        return (start, count)
    }

    private func reference(_ start: Int, _ index: Int) throws(InputError) -> Int {
        try number(at: start + index * referenceSize, size: referenceSize)
    }

    private func number(at offset: Int, size: Int) throws(InputError) -> Int {
        guard let number = Self.number(bytes, at: offset, size: size) else { throw Self.broken(input) }
        return number
    }

    /// Returns an unsigned number; nil outside of the bytes, or if it is too large to be an index.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        return Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// Reads a number, which is signed with eight bytes and unsigned with fewer.
    private static func signed(_ bytes: [UInt8], at offset: Int, size: Int) -> Int64? {
        guard offset <= bytes.count - size else { return nil }
        return Int64(bitPattern: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func broken(_ input: FormatInput) -> InputError {
        input.refuse("is a broken binary property list", remedy: "write it again with 'plutil -convert binary1'")
    }
}
