/// The objects, arrays and strings that a text of JSON has begun and not ended (RFC 8259 section 2), whether or not it is well formed.
struct JSONNesting {
    /// The brackets that are open, the innermost last.
    private(set) var open: [UInt8] = []
    /// True if it ends within a string.
    private(set) var isInString = false
    /// The number of members of its objects: each has a colon (RFC 8259 section 4), which stands nowhere else but in strings.
    private(set) var members = 0

    init(_ bytes: ArraySlice<UInt8>) {
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                switch byte {
                case UInt8(ascii: "\\"): isEscaped = true
                case UInt8(ascii: "\""): isInString = false
                default: break
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
                case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
                case UInt8(ascii: ":"): members += 1
                default: break
                }
            }
        }
    }
}
