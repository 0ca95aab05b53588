import ProbeKit

extension DERElement {
    private typealias Element = (tag: UInt8, content: ArraySlice<UInt8>)

    private static let integer: UInt8 = 0x02
    private static let bitString: UInt8 = 0x03
    private static let sequence: UInt8 = 0x30
    private static let explicit0: UInt8 = 0xa0
    /// UTCTime and GeneralizedTime.
    private static let times: Set<UInt8> = [0x17, 0x18]

    /// Returns true for a value that begins like a certificate and is something else: a key, a request or a list of revoked
    /// certificates. A broken certificate is not one of them.
    static func isOther(_ value: ArraySlice<UInt8>) -> Bool {
        var whole = OctetReader(value)
        guard let content = element(&whole)?.content else { return false }
        var inner = OctetReader(content)
        // Only a certificate has a version with a tag of its own (RFC 5280 section 4.1).
        guard let signed = element(&inner), signed.content.first != explicit0, let outer = elements(content),
            let tags = elements(signed.content)?.map(\.tag)
        else { return false }
        // Keys (RFC 5280 section 4.1, RFC 5958 section 3), and whatever else is not signed.
        guard outer.map(\.tag) == [sequence, sequence, bitString] else { return true }
        // A request (RFC 2986 section 4.1), whose attributes some leave out.
        if tags == [integer, sequence, sequence] || tags == [integer, sequence, sequence, explicit0] { return true }
        // A list of revoked certificates (RFC 5280 section 5.1), the first version of which has no number.
        let list = Array(tags.drop { $0 == integer }.prefix(3))
        return list.count == 3 && list[0] == sequence && list[1] == sequence && times.contains(list[2])
    }

    /// Returns the elements that follow one another; nil if the bytes are not that.
    private static func elements(_ bytes: ArraySlice<UInt8>) -> [Element]? {
        var elements: [Element] = []
        var rest = OctetReader(bytes)
        while !rest.isEmpty {
            guard let next = element(&rest) else { return nil }
            elements.append(next)
        }
        return elements
    }

    private static func element(_ octets: inout OctetReader) -> Element? {
        guard let tag = octets.number(1), var length = octets.number(1) else { return nil }
        if length >= 0x80 {
            guard (0x81...0x83).contains(length), let long = octets.number(Int(length & 0x7f)) else { return nil }
            length = long
        }
        return octets.take(Int(length)).map { (UInt8(truncatingIfNeeded: tag), $0) }
    }
}
