import ProbePlatform

/// A key that an object in JSON has twice, of whose values every reader takes another one (RFC 8259 section 4).
package enum RepeatedKey {
    /// Returns the first such key of valid JSON; nil if there is none.
    package static func first(in json: some Collection<UInt8>) -> String? {
        let bytes = Array(json)
        // The keys so far of each object that is open; nil for a list.
        var open: [Set<String>?] = []
        var position = 0
        while position < bytes.count {
            defer { position += 1 }
            switch bytes[position] {
            case UInt8(ascii: "{"): open.append([])
            case UInt8(ascii: "["): open.append(nil)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let start = position
                position = end(of: bytes, from: start)
                guard isKey(bytes, after: position), let last = open.indices.last, open[last] != nil else { continue }
                let key = text(bytes[start...min(position, bytes.count - 1)])
                if open[last]?.insert(key).inserted == false { return key }
            default: break
            }
        }
        return nil
    }

    /// Returns the position of the quotation mark that ends a string.
    private static func end(of bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }

    private static func isKey(_ bytes: [UInt8], after end: Int) -> Bool {
        bytes.dropFirst(end + 1).first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: ":")
    }

    /// Returns the text of a quoted string: the same key may be written with other escapes.
    private static func text(_ quoted: ArraySlice<UInt8>) -> String {
        if quoted.contains(UInt8(ascii: "\\")),
            let text = try? JSONDecoder().decode(String.self, from: Data(quoted))
        {
            return text
        }
        return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
}
