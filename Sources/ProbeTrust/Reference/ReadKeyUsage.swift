import SwiftASN1
import X509

/// A certificate's key usage (RFC 5280 section 4.2.1.3), with the zero bits at its end that DER leaves out and some
/// authorities write.
struct ReadKeyUsage: Sendable {
    let usage: KeyUsage
    /// True if zero bits follow the last one that is set.
    let isPadded: Bool

    init(_ ext: Certificate.Extension) throws {
        let bits = try ASN1BitString(derEncoded: DER.parse(ext.value))
        let last = bits.bytes.last.map { (1 << bits.paddingBits) & Int($0) } ?? 1
        isPadded = last == 0
        let digits = Array(bits.bytes.prefix(2)) + [0, 0]
        // Nine bits have names.
        guard bits.bytes.dropFirst(2).allSatisfy({ $0 == 0 }), digits[1] & 0x7f == 0 else {
            throw ASN1Error.invalidASN1Object(reason: "the key usage has bits without a meaning")
        }
        func isSet(_ bit: UInt8) -> Bool { digits[0] & (0x80 >> bit) != 0 }
        usage = KeyUsage(
            digitalSignature: isSet(0), nonRepudiation: isSet(1), keyEncipherment: isSet(2), dataEncipherment: isSet(3),
            keyAgreement: isSet(4), keyCertSign: isSet(5), cRLSign: isSet(6), encipherOnly: isSet(7),
            decipherOnly: digits[1] & 0x80 != 0)
    }
}
