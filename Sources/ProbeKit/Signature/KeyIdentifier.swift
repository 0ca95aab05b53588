/// The identifier of a key in a certificate (RFC 5280 sections 4.2.1.1 and 4.2.1.2).
public struct KeyIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The identifier's bytes, without a DER header.
    public let bytes: [UInt8]

    /// Creates an identifier, with or without its DER header: `04 14` in front of 20 bytes is removed (requirement 94).
    /// Nothing else is taken off, so an identifier of another length is given bare.
    public init(_ bytes: some Collection<UInt8>) {
        let isHeaded = bytes.count == 22 && bytes.starts(with: [0x04, 0x14])
        self.bytes = Array(isHeaded ? bytes.dropFirst(2) : bytes.dropFirst(0))
    }

    /// Reads an identifier in hexadecimal, in either case; colons and blanks between bytes are skipped.
    ///
    /// - Throws: ``InputError`` naming the text.
    public init(hex text: String) throws(InputError) {
        guard let bytes = Hex.decode(text.filter { $0 != ":" && $0 != " " }), !bytes.isEmpty else {
            throw InputError(
                "'\(text)' is no key identifier",
                remedy: "write its bytes in hexadecimal, with or without 0414 in front")
        }
        self.init(bytes)
    }

    /// Lowercase hexadecimal.
    public var description: String { Hex.encode(bytes) }
}
