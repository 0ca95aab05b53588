public import ProbeKit

/// A block of addresses, like `10.0.0.0/8` (RFC 4632).
public struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    private let first: IPAddress
    private let length: Int

    /// Reads a block, or one address.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else {
            throw InputError("'\(text)' is not a block of addresses", remedy: "write one like 10.0.0.0/8 or fd00::/8")
        }
        let bits = address.bytes.count * 8
        guard let length = parts.count == 1 ? bits : Int(parts[1]), (0...bits).contains(length) else {
            throw InputError("'\(text)' has no length from 0 to \(bits)", remedy: "write one like \(address)/\(bits)")
        }
        (first, self.length) = (address, length)
        guard Self.prefix(of: address, length) == address.bytes else {
            throw InputError(
                "'\(text)' has bits beyond its length",
                remedy: "write \(IPAddress(bytes: Self.prefix(of: address, length)) ?? address)/\(length)")
        }
    }

    /// Returns true if an address is in the block.
    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == first.bytes.count && Self.prefix(of: address, length) == first.bytes
    }

    /// The block as it is read.
    public var description: String { "\(first)/\(length)" }

    /// Returns the address with its bits from `length` on cleared.
    private static func prefix(of address: IPAddress, _ length: Int) -> [UInt8] {
        address.bytes.enumerated().map { index, byte in
            let kept = min(8, max(0, length - index * 8))
            return kept == 0 ? 0 : byte & (0xff << UInt8(8 - kept))
        }
    }
}
