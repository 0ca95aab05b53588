import Foundation

/// A text of JSON in which no object has two members of one name: those after the first have a number behind it.
///
/// Names should be unique and need not be, and are compared by their code units (RFC 8259 sections 4 and 8.3); the keys of a
/// `Dictionary` are compared by Unicode's canonical equivalence.
struct RenamedMembers {
    private(set) var text: [UInt8] = []
    /// The names of members that have another name now.
    private(set) var repeated: Set<String> = []

    /// Renames the members of a text that is well formed.
    init(_ bytes: ArraySlice<UInt8>) {
        text.reserveCapacity(bytes.count)
        // The names that the open objects have so far.
        var open: [Set<String>] = []
        var (number, copied, index) = (1, bytes.startIndex, bytes.startIndex)
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let end = Self.endOfString(in: bytes, from: index)
                defer { index = end - 1 }
                guard let object = open.indices.last, Self.isName(bytes, endingAt: end),
                    let name = Self.name(bytes[index..<end]), !open[object].insert(name).inserted
                else { break }
                repeated.insert(name)
                repeat { number += 1 } while !open[object].insert("\(name) (\(number))").inserted
                text += bytes[copied..<end - 1]
                text += Array(" (\(number))".utf8)
                copied = end - 1
            default: break
            }
            index += 1
        }
        text += bytes[copied...]
    }

    /// Returns the offset after the string that begins at an offset.
    static func endOfString(in bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        var index = start + 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return bytes.endIndex
    }

    /// Returns true if the string before an offset is the name of a member.
    private static func isName(_ bytes: ArraySlice<UInt8>, endingAt end: Int) -> Bool {
        bytes[end...].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: ":")
    }

    private static func name(_ string: ArraySlice<UInt8>) -> String? {
        guard string.contains(UInt8(ascii: "\\")) else {
            return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONSerialization.jsonObject(with: Data(string), options: .fragmentsAllowed) as? String
    }
}
