/// Case conversion of ASCII letters alone; other bytes are unchanged.
enum ASCII {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
