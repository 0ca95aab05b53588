/// The syntax of the names that constraints compare: text that is not a name is neither inside nor outside of a
/// subtree.
enum HostText {
    /// Returns true if a DNS name is valid (RFC 1034 section 3.5, with the underscore that is used in practice); its
    /// leftmost label may be a wildcard.
    static func isDNSName(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.enumerated().allSatisfy { index, label in
            if index == 0, labels.count > 1, label.elementsEqual("*".utf8) { return true }
            return (1...63).contains(label.count) && label.allSatisfy(isLabelByte)
        }
    }

    /// Returns true if the part of a mail address before the `@` is a Dot-string (RFC 5321 section 4.1.2); quoted ones
    /// are not compared.
    static func isLocalPart(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
        }
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
