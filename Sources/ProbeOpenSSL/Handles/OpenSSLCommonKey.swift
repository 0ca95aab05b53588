import CProbeOpenSSL

/// The SubjectPublicKeyInfo of a common key, from the values that OpenSSL has for it (RFC 3279, section 2.3.1; RFC 5480; RFC
/// 8410). Each of these keys has one DER form for a form of its point, so that nothing is left to an encoder.
enum OpenSSLCommonKey {
    private static let rsa: [UInt8] = [
        0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    private static let ed25519: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70]
    /// By the names that OpenSSL gives the curves.
    private static let curves: [String: [UInt8]] = [
        "prime256v1": [
            0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d,
            0x03, 0x01, 0x07,
        ],
        "secp384r1": [
            0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22,
        ],
        "secp521r1": [
            0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23,
        ],
    ]
    /// The size of a modulus of 16 384 bits; larger keys are left to the encoder.
    private static let capacity = 2048

    /// Returns the key's encoding; nil for a key of another kind.
    static func spki(of key: OpaquePointer) -> [UInt8]? {
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            guard let modulus = unsafe number("n", of: key), let exponent = unsafe number("e", of: key) else {
                return nil
            }
            return spki(rsa, element(0x30, integer(modulus) + integer(exponent)))
        case EVP_PKEY_EC:
            guard let curve = unsafe curve(of: key), let algorithm = curves[curve],
                let point = unsafe octets({ octets, count in
                    unsafe EVP_PKEY_get_octet_string_param(key, "pub", octets, capacity, count)
                })
            else { return nil }
            return spki(algorithm, point)
        case EVP_PKEY_ED25519:
            return unsafe octets { octets, count in
                unsafe count.pointee = capacity
                return unsafe EVP_PKEY_get_raw_public_key(key, octets, count)
            }.map { spki(ed25519, $0) }
        default:
            return nil
        }
    }

    // MARK: OpenSSL's values

    private static func curve(of key: OpaquePointer) -> String? {
        unsafe octets { octets, count in
            unsafe octets.withMemoryRebound(to: CChar.self, capacity: capacity) { name in
                unsafe EVP_PKEY_get_group_name(key, name, capacity, count)
            }
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns an integer's magnitude, the first byte first and not zero.
    private static func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let number = unsafe number else { return nil }
        defer { unsafe BN_free(number) }
        return unsafe octets { octets, count in
            guard unsafe BN_num_bits(number) <= capacity * 8 else { return 0 }
            unsafe count.pointee = Int(BN_bn2bin(number, octets))
            return 1
        }
    }

    /// Returns the output of an OpenSSL function; nil if it does not return 1.
    private static func octets(_ write: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> CInt) -> [UInt8]? {
        var isWritten = false
        let octets = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            isWritten = unsafe write(start, &count) == 1
            if !isWritten { count = 0 }
        }
        return isWritten ? octets : nil
    }

    // MARK: DER

    private static func spki(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
        element(0x30, algorithm + element(0x03, [0] + key))
    }

    private static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        element(0x02, magnitude.first.map { $0 < 0x80 } == true ? magnitude : [0] + magnitude)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case ..<0x80: [UInt8(content.count)]
            case ..<0x100: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
            }
        return [tag] + length + content
    }
}
