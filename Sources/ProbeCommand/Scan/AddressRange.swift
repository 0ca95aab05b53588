import ProbeKit

/// The addresses of a prefix in CIDR notation (RFC 4632, RFC 4291 section 2.3), all of them, one at a time.
struct AddressRange: Sendable {
    private let first: UInt128
    private let isIPv6: Bool
    /// The number of addresses.
    let count: UInt64

    /// The largest range: any of IPv4, and a prefix of at least 96 bits of IPv6.
    private static let maximumBits = 32

    /// Reads `ADDRESS/LENGTH`.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    init(_ text: some StringProtocol) throws(InputError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(String(parts[0])) else {
            throw InputError("'\(text)' is no range of addresses", remedy: "write ADDRESS/LENGTH, like 192.0.2.0/24")
        }
        let bits = address.bytes.count * 8
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]), length <= bits
        else {
            throw InputError("'\(text)' has no prefix length", remedy: "write a number from 0 to \(bits) after the '/'")
        }
        let hostBits = bits - length
        guard hostBits <= Self.maximumBits else {
            throw InputError(
                "'\(text)' has 2^\(hostBits) addresses", remedy: "write prefixes of /96 or longer for IPv6")
        }
        let value = address.bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let mask = (UInt128(1) << UInt128(hostBits)) - 1
        guard value & mask == 0 else {
            let network = Self.address(value & ~mask, isIPv6: address.isIPv6)
            throw InputError(
                "'\(text)' has bits behind its prefix", remedy: "write \(network)/\(length), or the address alone")
        }
        first = value
        isIPv6 = address.isIPv6
        count = 1 << UInt64(hostBits)
    }

    /// One of the addresses, `index` being less than ``count``.
    subscript(index: UInt64) -> IPAddress {
        Self.address(first + UInt128(index), isIPv6: isIPv6)
    }

    private static func address(_ value: UInt128, isIPv6: Bool) -> IPAddress {
        let count = isIPv6 ? 16 : 4
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt128(8 * (count - 1 - $0))) }
        // Four or sixteen bytes are always an address.
        return IPAddress(bytes: bytes) ?? (isIPv6 ? .loopback6 : .loopback4)
    }
}
