/// Files of DER that keep certificates within structures of their own.
extension DERElement {
    /// The types of PKCS #7, 1.2.840.113549.1.7, without their last number.
    private static let contentType: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7]
    private static let signedData: UInt8 = 2
    private static let version3: [UInt8] = [0x02, 1, 3]

    /// Returns true for the beginning of a signed message (RFC 5652 section 3).
    static func isSignedMessage(_ bytes: ArraySlice<UInt8>) -> Bool {
        content(of: bytes)?.starts(with: contentType + [signedData]) ?? false
    }

    /// Returns true for the beginning of a PFX, whose version is 3 (RFC 7292 section 4).
    static func isPFX(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let content = content(of: bytes), content.starts(with: version3) else { return false }
        return self.content(of: content.dropFirst(version3.count))?.starts(with: contentType) ?? false
    }

    /// Returns the bytes behind the header of a SEQUENCE, whose length may be left open (BER); nil for another element.
    private static func content(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.first == 0x30, let length = bytes.dropFirst().first else { return nil }
        return bytes.dropFirst(length < 0x80 ? 2 : 2 + Int(length & 0x7f))
    }
}
