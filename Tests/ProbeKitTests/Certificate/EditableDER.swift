/// A DER tree whose parts can be changed, for messages that are wrong in one place.
struct EditableDER {
    var tag: UInt8
    var children: [EditableDER]
    /// The content of a primitive type.
    var bytes: [UInt8]

    init(_ tag: UInt8, _ children: [EditableDER]) {
        (self.tag, self.children, bytes) = (tag, children, [])
    }

    init(_ tag: UInt8, bytes: [UInt8]) {
        (self.tag, children, self.bytes) = (tag, [], bytes)
    }

    /// Reads the element that begins some well-formed bytes.
    init(_ der: some Collection<UInt8>) {
        var rest = Array(der)[...]
        self = Self.next(&rest)
    }

    static func oid(_ dotted: String) -> EditableDER {
        let arcs = dotted.split(separator: ".").compactMap { UInt($0) }
        func base128(_ value: UInt) -> [UInt8] {
            var groups = [UInt8(value & 0x7f)]
            var rest = value >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
                rest >>= 7
            }
            return groups
        }
        return EditableDER(6, bytes: base128(arcs[0] * 40 + arcs[1]) + arcs.dropFirst(2).flatMap(base128))
    }

    static let null = EditableDER(5, bytes: [])

    static func sequence(_ children: EditableDER...) -> EditableDER { EditableDER(0x30, children) }

    var encoded: [UInt8] {
        let content = tag & 0x20 == 0 ? bytes : children.flatMap(\.encoded)
        guard content.count > 127 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var count = content.count
        while count > 0 {
            length.insert(UInt8(count & 0xff), at: 0)
            count >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    subscript(path: Int...) -> EditableDER {
        get { path.reduce(self) { $0.children[$1] } }
        set { replace(path[...], with: newValue) }
    }

    private mutating func replace(_ path: ArraySlice<Int>, with value: EditableDER) {
        guard let first = path.first else {
            self = value
            return
        }
        children[first].replace(path.dropFirst(), with: value)
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> EditableDER {
        let tag = rest.removeFirst()
        var count = Int(rest.removeFirst())
        if count > 127 {
            let size = count & 0x7f
            count = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            rest.removeFirst(size)
        }
        var content = rest.prefix(count)
        rest.removeFirst(count)
        guard tag & 0x20 != 0 else { return EditableDER(tag, bytes: Array(content)) }
        var children: [EditableDER] = []
        while !content.isEmpty { children.append(next(&content)) }
        return EditableDER(tag, children)
    }
}
