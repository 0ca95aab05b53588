/// RSA keys of any size, of which nobody has the private part.
enum LargeModulus {
    /// Returns a SubjectPublicKeyInfo with a modulus of so many bits.
    static func key(bits: Int) -> EditableDER {
        var digits = [UInt8](repeating: 0x5b, count: (bits + 7) / 8)
        // The first bit of all is set, and the number is odd.
        let top = UInt8(1) << UInt8((bits - 1) % 8)
        digits[0] = top | (digits[0] & (top - 1))
        let key = EditableDER.sequence(
            EditableDER(2, bytes: top == 0x80 ? [0] + digits : digits), EditableDER(2, bytes: [1, 0, 1]))
        return .sequence(
            .sequence(.oid("1.2.840.113549.1.1.1"), .null), EditableDER(3, bytes: [0] + key.encoded))
    }
}
