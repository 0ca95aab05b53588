public import ProbeKit

/// A block of addresses in CIDR notation, like `10.0.0.0/8` (RFC 4632, RFC 4291 section 2.3).
public struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    private let first: UInt128
    private let isIPv6: Bool
    private let length: Int

    /// Reads `ADDRESS/LENGTH`, or one address.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: some StringProtocol) throws(InputError) {
        try InputError.refuseCredentials(in: String(text))
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else {
            throw InputError("'\(text)' is not a range of addresses", remedy: "write ADDRESS/LENGTH, like 192.0.2.0/24")
        }
        let bits = address.bytes.count * 8
        guard let length = parts.count == 1 ? bits : Int(decimal: parts[1]), length <= bits else {
            throw InputError(
                "'\(text)' has no prefix length of an address", remedy: "write a number from 0 to \(bits) after the '/'"
            )
        }
        (first, isIPv6, self.length) = (Self.number(address), address.isIPv6, length)
        guard prefix(of: first) == first else {
            throw InputError(
                "'\(text)' has bits behind its prefix",
                remedy: "write \(self.address(prefix(of: first)))/\(length), or the address alone")
        }
    }

    /// The number of bits in which its addresses differ.
    package var hostBits: Int { (isIPv6 ? 128 : 32) - length }

    /// The number of addresses; the largest number of its type if there are more.
    package var count: UInt64 { hostBits < UInt64.bitWidth ? 1 << UInt64(hostBits) : .max }

    /// One of the addresses, `index` being less than ``count``.
    package subscript(index: UInt64) -> IPAddress { address(first + UInt128(index)) }

    /// Returns true if an address is in the block.
    public func contains(_ address: IPAddress) -> Bool {
        address.isIPv6 == isIPv6 && prefix(of: Self.number(address)) == first
    }

    /// The block as it is read.
    public var description: String { "\(address(first))/\(length)" }

    /// Returns a number with the bits that are not of the prefix cleared.
    private func prefix(of number: UInt128) -> UInt128 { (number >> hostBits) << hostBits }

    private static func number(_ address: IPAddress) -> UInt128 {
        address.bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    private func address(_ number: UInt128) -> IPAddress {
        let count = isIPv6 ? 16 : 4
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
        // Four or sixteen bytes are always an address.
        return IPAddress(bytes: bytes) ?? (isIPv6 ? .loopback6 : .loopback4)
    }
}
