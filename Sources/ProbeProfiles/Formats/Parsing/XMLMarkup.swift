/// The parts of an XML text that are looked at before a parser sees it.
enum XMLMarkup {
    /// Returns true if the document type declares anything, or may do so for libxml2, which goes on after faults. It stands
    /// before the root element: parsers take one nowhere else.
    static func declaresEntities(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        // A broken declaration of the XML ends at the first bracket, and an instruction that is named like it does not.
        if rest.starts(with: "<?xml".utf8), rest.dropFirst(5).first.map(isBlank) == true {
            rest = rest.after(">") ?? []
        }
        while true {
            rest = rest.drop(while: isBlank)
            if rest.starts(with: "<!--".utf8) {
                rest = rest.dropFirst(4).after("-->") ?? []
            } else if rest.starts(with: "<?".utf8) {
                rest = rest.dropFirst(2).after("?>") ?? []
            } else {
                return rest.starts(with: "<!DOCTYPE".utf8) && mayDeclare(rest.dropFirst())
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

    /// Returns true for a document type that does not simply end at its first bracket.
    private static func mayDeclare(_ documentType: ArraySlice<UInt8>) -> Bool {
        var mark: UInt8?
        for (index, byte) in zip(documentType.indices, documentType) {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "<"): return true
            // libxml2 takes declarations behind the end too.
            case UInt8(ascii: ">"): return mark != nil || documentType[index...].dropFirst().first == UInt8(ascii: "[")
            case UInt8(ascii: "\""), UInt8(ascii: "'"): mark = mark == nil ? byte : mark == byte ? nil : mark
            default: continue
            }
        }
        return false
    }

    /// Returns a text without its comments; one that does not end is left.
    static func withoutComments(_ text: String) -> String {
        var rest = Array(text.utf8)[...]
        var kept: [UInt8] = []
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            kept += rest[..<open]
            rest = rest[open...]
            guard rest.starts(with: "<!--".utf8) else {
                kept.append(rest.removeFirst())
                continue
            }
            guard let after = rest.dropFirst(4).after("-->") else { break }
            rest = after
        }
        return String(decoding: kept + rest, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Returns the bytes after the first occurrence of a text; nil if it does not occur.
    fileprivate func after(_ text: String) -> Self? {
        let wanted = Array(text.utf8)
        return indices.first { self[$0] == wanted.first && self[$0...].starts(with: wanted) }
            .map { self[($0 + wanted.count)...] }
    }
}
