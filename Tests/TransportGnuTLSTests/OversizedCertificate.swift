/// An RSA certificate with numbers of any size, and an invalid signature.
struct OversizedCertificate {
    let subject: String
    let issuer: String
    let isAuthority: Bool
    let modulus: [UInt8]
    let exponent: [UInt8]
    var signature: [UInt8] = [UInt8](repeating: 1, count: 256)

    /// Returns an odd number whose highest bit is set.
    static func number(bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: 0xa5 + $0 * 167) | ($0 == 0 || $0 == count - 1 ? 0x81 : 0) }
    }

    /// The certificate (RFC 5280 section 4.1), valid through 2049.
    var der: [UInt8] {
        // sha256WithRSAEncryption and rsaEncryption of RFC 4055 section 5 and RFC 8017 appendix A.1.
        let signed = element(0x30, [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11, 5, 0])
        let rsa = element(0x30, [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0])
        let key = element(0x30, integer(modulus) + integer(exponent))
        let validity = element(0x17, Array("200101000000Z".utf8)) + element(0x17, Array("491231235959Z".utf8))
        let constraints = element(0x30, isAuthority ? [1, 1, 0xff] : [])
        let extensions = element(0x30, [6, 3, 0x55, 0x1d, 19, 1, 1, 0xff] + element(4, constraints))
        let body = element(
            0x30,
            [0xa0, 3, 2, 1, 2, 2, 1, 7] + signed + name(issuer) + element(0x30, validity) + name(subject)
                + element(0x30, rsa + element(3, [0] + key)) + element(0xa3, element(0x30, extensions)))
        return element(0x30, body + signed + element(3, [0] + signature))
    }

    private func name(_ common: String) -> [UInt8] {
        element(0x30, element(0x31, element(0x30, [6, 3, 0x55, 4, 3] + element(12, Array(common.utf8)))))
    }

    private func integer(_ bytes: [UInt8]) -> [UInt8] { element(2, bytes[0] >= 0x80 ? [0] + bytes : bytes) }

    private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            case ..<0x1_0000: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
            default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
            }
        return [tag] + length + content
    }
}
