import ProbePlatform

/// DER built from elements, for values that no encoder would write.
enum DERBytes {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes = [tag]
        bytes.reserveCapacity(content.count + 5)
        switch content.count {
        case ..<0x80: bytes.append(UInt8(content.count))
        case ..<0x100: bytes += [0x81, UInt8(content.count)]
        case ..<0x10000: bytes += [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
        default:
            bytes += [
                0x83, UInt8(content.count >> 16 & 0xff), UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff),
            ]
        }
        return bytes + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

    static func bits(_ content: [UInt8]) -> [UInt8] { value(0x03, [0] + content) }

    /// Returns an ECDSA signature of its two numbers, one behind the other.
    static func ecdsa(_ raw: Data?) -> [UInt8] {
        guard let raw else { return [] }
        let numbers = [raw.prefix(raw.count / 2), raw.suffix(raw.count / 2)].map { half in
            let digits = Array(half.drop { $0 == 0 })
            return value(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
        }
        return sequence(numbers[0], numbers[1])
    }

    /// Returns a Name of attributes, each in a set of its own.
    static func name(_ attributes: [[UInt8]]) -> [UInt8] {
        value(0x30, attributes.flatMap { value(0x31, $0) })
    }

    /// Returns a common name.
    static func commonName(_ text: String, tag: UInt8 = 0x0c) -> [UInt8] {
        sequence([0x06, 0x03, 0x55, 0x04, 0x03], value(tag, Array(text.utf8)))
    }

    /// Returns an extension of id-ce, by its last arc.
    static func certificateExtension(_ arc: UInt8, _ content: [UInt8], isCritical: Bool = false) -> [UInt8] {
        sequence([0x06, 0x03, 0x55, 0x1d, arc], isCritical ? [0x01, 0x01, 0xff] : [], value(0x04, content))
    }
}
