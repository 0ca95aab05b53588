import ProbeKit
import ProbePacking

/// Reads the binary form that XML files have in an APK, into the tree that their text would give.
struct BinaryXML {
    /// The attribute of a manifest's application by that name; obfuscators remove names and keep the number.
    static let networkSecurityConfig = "android:networkSecurityConfig"
    private static let networkSecurityConfigID = 0x0101_0527

    private static let maximumDepth = 64
    /// The maximum size of the texts in a tree, in bytes: one text can be used any number of times.
    private static let maximumText = 16 << 20
    private static let maximumTags = 500_000

    private let input: FormatInput
    private let data: LittleEndian
    private var strings: ResourceStrings?
    private var identifiers: [Int] = []
    private var open: [XMLTag] = []
    private var root: XMLTag?
    private var size = 0
    private var tags = 0

    static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [3, 0, 8, 0]) }

    /// Returns the root element.
    static func read(_ input: FormatInput) throws(InputError) -> XMLTag {
        var reader = BinaryXML(input)
        return try reader.read()
    }

    private init(_ input: FormatInput) {
        self.input = input
        data = LittleEndian(bytes: input.bytes)
    }

    private mutating func read() throws(InputError) -> XMLTag {
        guard Self.recognises(input.bytes), let size = data.uint32(4), size <= input.bytes.count else {
            throw input.refuse("is not Android's binary XML", remedy: "give the file as it is in the APK")
        }
        var offset = 8
        while offset < size {
            guard let kind = data.uint16(offset), let header = data.uint16(offset + 2),
                let length = data.uint32(offset + 4), length >= 8, header >= 8, header <= length,
                length <= size - offset
            else { throw broken() }
            try visit(kind, at: offset, header: header, end: offset + length)
            offset += length
        }
        guard let root, open.isEmpty else { throw broken() }
        return root
    }

    private mutating func visit(_ kind: Int, at offset: Int, header: Int, end: Int) throws(InputError) {
        switch kind {
        case 0x0001:
            guard strings == nil else { return }
            guard let pool = ResourceStrings(data, at: offset, end: end) else { throw broken() }
            strings = pool
        case 0x0180:
            identifiers = stride(from: offset + header, through: end - 4, by: 4).compactMap { data.uint32($0) }
        case 0x0102: try start(at: offset, header: header, end: end)
        case 0x0103:
            guard let tag = open.popLast() else { throw broken() }
            if open.isEmpty {
                guard root == nil else { throw broken() }
                root = tag
            } else {
                open[open.count - 1].children.append(tag)
            }
        case 0x0104:
            guard !open.isEmpty, let reference = data.uint32(offset + header) else { throw broken() }
            open[open.count - 1].text += try string(reference) ?? ""
        default: return
        }
    }

    private mutating func start(at offset: Int, header: Int, end: Int) throws(InputError) {
        guard open.count < Self.maximumDepth else {
            throw input.refuse("nests its elements more than \(Self.maximumDepth) deep", remedy: "flatten it")
        }
        let base = offset + header
        guard header >= 16, let line = data.uint32(offset + 8), let nameIndex = data.uint32(base + 4),
            let start = data.uint16(base + 8), let width = data.uint16(base + 10), let count = data.uint16(base + 12),
            width >= 20 || count == 0, base + start + count * width <= end, let name = try string(nameIndex)
        else { throw broken() }
        tags += 1 + count
        guard tags <= Self.maximumTags else { throw tooLarge() }
        var attributes: [String: String] = [:]
        for index in 0..<count {
            let place = base + start + index * width
            guard let space = data.uint32(place), let nameIndex = data.uint32(place + 4) else { throw broken() }
            attributes[try attributeName(nameIndex, space: space)] = try value(at: place)
        }
        open.append(XMLTag(name: name, attributes: attributes, line: line))
    }

    /// Returns a name alone, as the platform asks for it; with its namespace's name if it has one.
    private mutating func attributeName(_ index: Int, space: Int) throws(InputError) -> String {
        if identifiers.indices.contains(index), identifiers[index] == Self.networkSecurityConfigID {
            return Self.networkSecurityConfig
        }
        let name = try string(index) ?? ""
        guard let space = try string(space), !space.isEmpty else { return name }
        return "\(space):\(name)"
    }

    /// Returns a value as its text was written: booleans and numbers as such, resources as `@` and their number.
    private mutating func value(at place: Int) throws(InputError) -> String {
        guard let raw = data.uint32(place + 8), let kind = data.uint16(place + 14).map({ $0 >> 8 }),
            let number = data.uint32(place + 16)
        else { throw broken() }
        switch kind {
        case 0x01, 0x07: return "@" + String(number, radix: 16)
        case 0x12: return number == 0 ? "false" : "true"
        case 0x10...0x1f: return try string(raw) ?? String(number)
        case 0x03: return try string(number) ?? ""
        default: return try string(raw) ?? ""
        }
    }

    /// - Returns: nil for the number that means none.
    private mutating func string(_ index: Int) throws(InputError) -> String? {
        guard index != 0xffff_ffff else { return nil }
        guard let text = strings?[index] else { throw broken() }
        size += text.utf8.count
        guard size <= Self.maximumText else { throw tooLarge() }
        return text
    }

    private func broken() -> InputError { input.refuse("is broken binary XML", remedy: "build the app again") }

    private func tooLarge() -> InputError {
        input.refuse("is binary XML that unfolds to too much", remedy: "build the app again")
    }
}
