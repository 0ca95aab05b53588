/// Numbers that have their lowest byte first, as those of archives and of Android's binary resources.
package struct LittleEndian: Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Returns: nil outside of the bytes.
    package func uint16(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// - Returns: nil outside of the bytes.
    package func uint32(_ offset: Int) -> Int? {
        guard let low = uint16(offset), let high = uint16(offset + 2) else { return nil }
        return low | high << 16
    }
}
