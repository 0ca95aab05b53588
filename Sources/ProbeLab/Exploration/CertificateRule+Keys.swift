import ProbePlatform

/// Other keys, and other encodings of keys.
extension CertificateRule {
    static let keys: [CertificateRule] =
        [
            key("key-p384", PlannedKey(.p384, "exchanged")), key("key-p521", PlannedKey(.p521, "exchanged")),
            key("key-ed25519", PlannedKey(.ed25519, "exchanged")), key("key-rsa-1024", PlannedKey(.rsa1024, "leaf")),
            key("key-rsa-2048", PlannedKey(.rsa2048, "leaf")), key("key-rsa-4096", PlannedKey(.rsa4096, "leaf")),
            key("key-other", PlannedKey(.p256, "exchanged")),
            CertificateRule("key-of-issuer") { plan, place, _ in
                guard place < plan.root else { return false }
                plan.path[place].key = plan.path[place + 1].key
                return true
            },
            CertificateRule("key-of-leaf") { plan, place, _ in
                plan.path[place].key = plan.path[0].key
                return place > 0
            },
            CertificateRule("key-compressed") { plan, place, _ in
                guard let point = plan.path[place].key.compressedPoint else { return false }
                plan.path[place].encodedKey = DERBytes.sequence(ecAlgorithm(p256), DERBytes.bits(point))
                return true
            },
            CertificateRule("key-hybrid") { plan, place, _ in
                guard plan.path[place].key.kind == .p256, var point = try? plan.path[place].key.rawKey else {
                    return false
                }
                point[0] = 0x06 | (point[64] & 1)
                plan.path[place].encodedKey = DERBytes.sequence(ecAlgorithm(p256), DERBytes.bits(point))
                return true
            },
            rewritten("key-rsa-without-null", for: \.isRSA) { raw in
                DERBytes.sequence(DERBytes.sequence(rsaEncryption), DERBytes.bits(raw))
            },
            rewritten("key-rsa-pss", for: \.isRSA) { raw in
                DERBytes.sequence(
                    DERBytes.sequence([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 10]), DERBytes.bits(raw))
            },
            rewritten("key-rsa-trailing-byte", for: \.isRSA) { raw in
                DERBytes.sequence(DERBytes.sequence(rsaEncryption, [5, 0]), DERBytes.bits(raw + [0]))
            },
            rewritten("key-unused-bits", for: { _ in true }, \.kind) { raw, kind in
                DERBytes.sequence(algorithm(kind), DERBytes.value(0x03, [1] + raw))
            },
            rewritten("key-trailing-element", for: { _ in true }, \.kind) { raw, kind in
                DERBytes.sequence(algorithm(kind), DERBytes.bits(raw), [0x05, 0x00])
            },
            rewritten("key-ec-with-null", for: \.isEC, \.kind) { raw, _ in
                DERBytes.sequence(DERBytes.sequence(ecPublicKey, [5, 0]), DERBytes.bits(raw))
            },
            rewritten("key-ec-without-curve", for: \.isEC) { raw in
                DERBytes.sequence(DERBytes.sequence(ecPublicKey), DERBytes.bits(raw))
            },
            rewritten("key-ecdh", for: \.isEC) { raw in
                DERBytes.sequence(
                    DERBytes.sequence([0x06, 0x05, 0x2b, 0x81, 0x04, 0x01, 0x0c], p256), DERBytes.bits(raw))
            },
            rewritten("key-off-curve", for: \.isEC, \.kind) { raw, kind in
                DERBytes.sequence(algorithm(kind), DERBytes.bits(raw.dropLast() + [raw[raw.count - 1] ^ 1]))
            },
            rewritten("key-infinity", for: \.isEC, \.kind) { _, kind in
                DERBytes.sequence(algorithm(kind), DERBytes.bits([0]))
            },
            rewritten("key-cut", for: { _ in true }, \.kind) { raw, kind in
                DERBytes.sequence(algorithm(kind), DERBytes.bits(Array(raw.dropLast())))
            },
            encoded(
                "key-secp256k1",
                DERBytes.sequence(ecAlgorithm([0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a]), DERBytes.bits(secp256k1))),
            encoded(
                "key-unknown",
                DERBytes.sequence(DERBytes.sequence([0x06, 0x03, 0x88, 0x37, 0x03]), DERBytes.bits([1, 2, 3]))),
            encoded(
                "key-x25519",
                DERBytes.sequence(
                    DERBytes.sequence([0x06, 0x03, 0x2b, 0x65, 0x6e]),
                    DERBytes.bits([9] + [UInt8](repeating: 0, count: 31)))),
            encoded(
                "key-ed448",
                DERBytes.sequence(
                    DERBytes.sequence([0x06, 0x03, 0x2b, 0x65, 0x71]), DERBytes.bits([UInt8](repeating: 2, count: 57)))),
            encoded("key-empty", DERBytes.sequence(DERBytes.sequence(rsaEncryption, [5, 0]), DERBytes.bits([]))),
            rsa("key-rsa-exponent-1", [1]), rsa("key-rsa-exponent-3", [3]), rsa("key-rsa-exponent-even", [2]),
            rsa("key-rsa-exponent-long", [1, 0, 0, 0, 0, 0, 0, 0, 1]), rsa("key-rsa-exponent-0", [0]),
            rsa("key-rsa-modulus-even", [1, 0, 1], last: 0xfe),
            rsa("key-rsa-modulus-padded", [1, 0, 1], head: [0, 0]),
            rsa("key-rsa-modulus-negative", [1, 0, 1], head: []), rsa("key-rsa-512", [1, 0, 1], bytes: 64),
            rsa("key-rsa-2047", [1, 0, 1], first: 0x40), rsa("key-rsa-8200", [1, 0, 1], bytes: 1025),
            rsa("key-rsa-16384", [1, 0, 1], bytes: 2048),
        ]

    private static let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1]
    private static let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
    private static let p256: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    private static func ecAlgorithm(_ curve: [UInt8]) -> [UInt8] { DERBytes.sequence(ecPublicKey, curve) }

    /// The base point of the curve of SEC 2 section 2.4.1.
    private static let secp256k1: [UInt8] = [
        0x04, 0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac, 0x55, 0xa0, 0x62, 0x95, 0xce, 0x87, 0x0b, 0x07, 0x02,
        0x9b,
        0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59, 0xf2, 0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98, 0x48, 0x3a, 0xda, 0x77,
        0x26,
        0xa3, 0xc4, 0x65, 0x5d, 0xa4, 0xfb, 0xfc, 0x0e, 0x11, 0x08, 0xa8, 0xfd, 0x17, 0xb4, 0x48, 0xa6, 0x85, 0x54,
        0x19,
        0x9c, 0x47, 0xd0, 0x8f, 0xfb, 0x10, 0xd4, 0xb8,
    ]

    private static func algorithm(_ kind: PlannedKey.Kind) -> [UInt8] {
        switch kind {
        case .p256: ecAlgorithm(p256)
        case .p384: ecAlgorithm([0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22])
        case .p521: ecAlgorithm([0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x23])
        case .ed25519: DERBytes.sequence([0x06, 0x03, 0x2b, 0x65, 0x70])
        case .rsa1024, .rsa2048, .rsa4096: DERBytes.sequence(rsaEncryption, [5, 0])
        }
    }

    private static func key(_ name: String, _ key: PlannedKey) -> CertificateRule {
        .always(name) { $0.key = key }
    }

    private static func encoded(_ name: String, _ spki: [UInt8]) -> CertificateRule {
        .always(name) { $0.encodedKey = spki }
    }

    private static func rewritten(
        _ name: String, for applies: @escaping @Sendable (PlannedKey) -> Bool,
        _ kind: @escaping @Sendable (PlannedKey) -> PlannedKey.Kind,
        _ write: @escaping @Sendable ([UInt8], PlannedKey.Kind) -> [UInt8]
    ) -> CertificateRule {
        CertificateRule(name) { plan, place, _ in
            let key = plan.path[place].key
            guard applies(key), let raw = try? key.rawKey else { return false }
            plan.path[place].encodedKey = write(raw, kind(key))
            return true
        }
    }

    private static func rewritten(
        _ name: String, for applies: @escaping @Sendable (PlannedKey) -> Bool,
        _ write: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> CertificateRule {
        rewritten(name, for: applies, { $0.kind }) { raw, _ in write(raw) }
    }

    /// An RSA key whose primes nobody knows.
    private static func rsa(
        _ name: String, _ exponent: [UInt8], head: [UInt8] = [0], first: UInt8 = 0xc1, last: UInt8 = 0x55,
        bytes: Int = 256
    ) -> CertificateRule {
        let modulus = [first] + [UInt8](repeating: 0x5b, count: bytes - 2) + [last]
        let padded = first < 0x80 ? modulus : head + modulus
        return encoded(
            name,
            DERBytes.sequence(
                DERBytes.sequence(rsaEncryption, [5, 0]),
                DERBytes.bits(DERBytes.sequence(DERBytes.value(0x02, padded), DERBytes.value(0x02, exponent)))))
    }
}
