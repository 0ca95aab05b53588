import ProbePlatform

/// Versions, serial numbers, encodings, and signatures.
extension CertificateRule {
    private static let versions: [(String, [UInt8])] = [
        ("version-1", []), ("version-1-written", [0xa0, 3, 2, 1, 0]), ("version-2", [0xa0, 3, 2, 1, 1]),
        ("version-4", [0xa0, 3, 2, 1, 3]), ("version-negative", [0xa0, 3, 2, 1, 0xff]),
        ("version-padded", [0xa0, 4, 2, 2, 0, 2]), ("version-huge", [0xa0, 7, 2, 5, 1, 0, 0, 0, 2]),
        ("version-empty", [0xa0, 2, 2, 0]),
        ("version-trailing", [0xa0, 5, 2, 1, 2, 5, 0]),
    ]
    private static let serials: [(String, [UInt8])] = [
        ("serial-0", [0]), ("serial-negative", [0x80]), ("serial-padded", [0, 0x41]), ("serial-empty", []),
        ("serial-20-bytes", [UInt8](repeating: 0x41, count: 20)),
        ("serial-21-bytes", [UInt8](repeating: 0x41, count: 21)),
        ("serial-64-bytes", [UInt8](repeating: 0x41, count: 64)), ("serial-padded-ones", [0xff, 0x81]),
    ]

    static let encodings: [CertificateRule] =
        versions.map { name, version in .always(name) { $0.version = version } }
        + serials.map { name, serial in .always(name) { $0.serial = serial } }
        + [
            .always("unique-subject") { $0.uniqueIdentifiers = [0x82, 0x02, 0x00, 0x01] },
            .always("unique-issuer") { $0.uniqueIdentifiers = [0x81, 0x02, 0x00, 0x01] },
            .always("unique-both") { $0.uniqueIdentifiers = [0x81, 0x02, 0x00, 0x01, 0x82, 0x02, 0x00, 0x01] },
            .always("unique-swapped") { $0.uniqueIdentifiers = [0x82, 0x02, 0x00, 0x01, 0x81, 0x02, 0x00, 0x01] },
            .always("unique-malformed") { $0.uniqueIdentifiers = [0x82, 0x00] },
            .always("unique-constructed") { $0.uniqueIdentifiers = [0xa2, 0x04, 0x03, 0x02, 0x00, 0x01] },
            .always("unknown-field") { $0.uniqueIdentifiers = [0x84, 0x01, 0x00] },
            .always("whole-trailing-byte") { $0.wholeChanges.append { $0.append(0) } },
            .always("whole-trailing-element") { $0.wholeChanges.append { $0 += [0x05, 0x00] } },
            .always("whole-fourth-element") { $0.wholeChanges.append { $0 = relength($0, extra: [0x05, 0x00]) } },
            .always("whole-indefinite") { $0.wholeChanges.append { $0 = [0x30, 0x80] + content($0) + [0, 0] } },
            .always("whole-long-length") { $0.wholeChanges.append { $0 = longLength($0) } },
            .always("body-indefinite") { $0.bodyChanges.append { $0 = [0x30, 0x80] + content($0) + [0, 0] } },
            .always("body-long-length") { $0.bodyChanges.append { $0 = longLength($0) } },
            .always("body-trailing-element") { $0.bodyChanges.append { $0 = relength($0, extra: [0x05, 0x00]) } },
            .always("body-trailing-context") {
                $0.bodyChanges.append { $0 = relength($0, extra: [0xa4, 0x02, 0x05, 0x00]) }
            },
            changedByte("body-bit") { bytes, place, bit in bytes[place] ^= 1 << bit },
            changedByte("body-byte-removed") { bytes, place, _ in bytes.remove(at: place) },
            changedByte("body-byte-added") { bytes, place, bit in bytes.insert(bit, at: place) },
            changedByte("body-tag-constructed") { bytes, place, _ in bytes[place] ^= 0x20 },
        ]

    private static func changedByte(
        _ name: String, _ change: @escaping @Sendable (inout [UInt8], Int, UInt8) -> Void
    ) -> CertificateRule {
        CertificateRule(name) { plan, place, numbers in
            let (at, bit) = (numbers.next(), UInt8(numbers.below(8)))
            plan.path[place].bodyChanges.append { bytes in change(&bytes, Int(at % UInt64(bytes.count)), bit) }
            return true
        }
    }

    private static func content(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 4 else { return bytes }
        return Array(bytes.dropFirst(bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)))
    }
    private static func relength(_ bytes: [UInt8], extra: [UInt8]) -> [UInt8] {
        DERBytes.value(bytes[0], content(bytes) + extra)
    }
    private static func longLength(_ bytes: [UInt8]) -> [UInt8] {
        let inner = content(bytes)
        return [bytes[0], 0x84, 0, 0, UInt8(inner.count >> 8 & 0xff), UInt8(inner.count & 0xff)] + inner
    }

    // MARK: Signatures

    private static let faults: [(String, CertificatePlan.SignatureFault)] = [
        ("signature-flipped", .flipped), ("signature-empty", .empty), ("signature-zero", .zero),
        ("signature-cut", .truncated),
        ("signature-unused-bits", .unusedBits), ("signature-trailing-byte", .trailingByte),
        ("signature-padded-number", .paddedNumber),
    ]

    private static let ecSchemes: [(String, PlannedKey.Scheme)] = [
        (
            "signed-ecdsa-sha1",
            .init(digest: .sha1, identifier: DERBytes.sequence([0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]))
        ),
        ("signed-ecdsa-sha384", .init(digest: .sha384, identifier: PlannedKey.ecdsa(3))),
        ("signed-ecdsa-sha512", .init(digest: .sha512, identifier: PlannedKey.ecdsa(4))),
        (
            "signed-ecdsa-with-null",
            .init(
                digest: .sha256,
                identifier: DERBytes.sequence([0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 2], [5, 0]))
        ),
        ("signed-ecdsa-wrong-digest", .init(digest: .sha256, identifier: PlannedKey.ecdsa(3))),
    ]
    private static let rsaSchemes: [(String, PlannedKey.Scheme)] = [
        ("signed-rsa-sha1", .init(digest: .sha1, identifier: PlannedKey.rsa(5))),
        ("signed-rsa-sha384", .init(digest: .sha384, identifier: PlannedKey.rsa(12))),
        ("signed-rsa-sha512", .init(digest: .sha512, identifier: PlannedKey.rsa(13))),
        ("signed-rsa-without-null", .init(digest: .sha256, identifier: PlannedKey.rsa(11, parameters: []))),
        ("signed-rsa-parameters", .init(digest: .sha256, identifier: PlannedKey.rsa(11, parameters: [0x30, 0x00]))),
        ("signed-rsa-md5-named", .init(digest: .sha256, identifier: PlannedKey.rsa(4))),
        ("signed-pss", .init(digest: .sha256, isPSS: true, identifier: PlannedKey.rsa(10, parameters: pss(salt: 32)))),
        (
            "signed-pss-without-null",
            .init(digest: .sha256, isPSS: true, identifier: PlannedKey.rsa(10, parameters: pss(salt: 32, null: [])))
        ),
        (
            "signed-pss-wrong-salt",
            .init(digest: .sha256, isPSS: true, identifier: PlannedKey.rsa(10, parameters: pss(salt: 20)))
        ),
        (
            "signed-pss-trailer",
            .init(
                digest: .sha256, isPSS: true,
                identifier: PlannedKey.rsa(10, parameters: pss(salt: 32, trailer: [0xa3, 3, 2, 1, 1])))
        ),
        (
            "signed-pss-defaults",
            .init(digest: .sha1, isPSS: true, identifier: PlannedKey.rsa(10, parameters: [0x30, 0x00]))
        ),
        (
            "signed-pss-no-parameters",
            .init(digest: .sha256, isPSS: true, identifier: PlannedKey.rsa(10, parameters: []))
        ),
        (
            "signed-pss-sha384",
            .init(digest: .sha384, isPSS: true, identifier: PlannedKey.rsa(10, parameters: pss(salt: 48, digest: 2)))
        ),
    ]

    private static func pss(salt: UInt8, digest: UInt8 = 1, null: [UInt8] = [5, 0], trailer: [UInt8] = []) -> [UInt8] {
        let hash = DERBytes.sequence([0x06, 0x09, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, digest], null)
        let mask = DERBytes.sequence([0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 8], hash)
        return DERBytes.sequence(
            DERBytes.value(0xa0, hash), DERBytes.value(0xa1, mask), DERBytes.value(0xa2, [2, 1, salt]), trailer)
    }

    static let signatures: [CertificateRule] =
        faults.map { name, fault in .always(name) { $0.signatureFault = fault } }
        + ecSchemes.map { name, scheme in signed(name, scheme) { $0.kind == .p256 } }
        + rsaSchemes.map { name, scheme in signed(name, scheme) { $0.isRSA } }
        + [
            .always("signed-by-another") { $0.signer = PlannedKey(.p256, "stranger") },
            .always("signed-by-itself") { $0.signer = $0.key },
            .always("outer-algorithm-other") { $0.outerAlgorithm = PlannedKey.ecdsa(3) },
            .always("outer-algorithm-with-null") {
                $0.outerAlgorithm = DERBytes.sequence(
                    [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 2], [5, 0])
            },
            .always("outer-algorithm-unknown") {
                $0.outerAlgorithm = DERBytes.sequence([0x06, 0x03, 0x88, 0x37, 0x04])
            },
        ]

    private static func signed(
        _ name: String, _ scheme: PlannedKey.Scheme, by isAble: @escaping @Sendable (PlannedKey) -> Bool
    ) -> CertificateRule {
        CertificateRule(name) { plan, place, _ in
            let signer = plan.path[place].signer ?? plan.path[min(place + 1, plan.root)].key
            guard isAble(signer) else { return false }
            plan.path[place].scheme = scheme
            return true
        }
    }
}
