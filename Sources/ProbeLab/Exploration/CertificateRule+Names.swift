import ProbePlatform

/// Other subjects, and other issuers than the subject above.
extension CertificateRule {
    private static func attribute(_ last: UInt8, _ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        DERBytes.sequence([0x06, 0x03, 0x55, 0x04, last], DERBytes.value(tag, bytes))
    }
    private static func common(_ tag: UInt8, _ bytes: [UInt8]) -> [UInt8] { attribute(3, tag, bytes) }
    private static func wide(_ text: String, _ width: Int) -> [UInt8] {
        text.utf8.flatMap { [UInt8](repeating: 0, count: width - 1) + [$0] }
    }
    private static let text = Array("Some Name".utf8)

    private static let subjects: [(String, [UInt8])] = [
        ("subject-printable", DERBytes.name([common(0x13, text)])),
        ("subject-bmp", DERBytes.name([common(0x1e, wide("Some Name", 2))])),
        ("subject-bmp-odd", DERBytes.name([common(0x1e, text)])),
        ("subject-universal", DERBytes.name([common(0x1c, wide("Some Name", 4))])),
        ("subject-teletex", DERBytes.name([common(0x14, text + [0xe9])])),
        ("subject-ia5", DERBytes.name([common(0x16, text)])),
        ("subject-visible", DERBytes.name([common(0x1a, text)])),
        ("subject-numeric", DERBytes.name([common(0x12, text)])),
        ("subject-octets", DERBytes.name([common(0x04, text)])),
        ("subject-integer", DERBytes.name([common(0x02, [1])])),
        ("subject-null", DERBytes.name([DERBytes.sequence([0x06, 0x03, 0x55, 0x04, 3], [0x05, 0x00])])),
        ("subject-not-utf8", DERBytes.name([common(0x0c, [0x61, 0xff, 0xfe])])),
        ("subject-printable-at", DERBytes.name([common(0x13, Array("a@b_c*".utf8))])),
        ("subject-ia5-high", DERBytes.name([common(0x16, [0xe9])])),
        ("subject-zero-byte", DERBytes.name([common(0x0c, Array("good.test\0evil".utf8))])),
        ("subject-empty-string", DERBytes.name([common(0x0c, [])])), ("subject-empty", [0x30, 0x00]),
        ("subject-empty-set", DERBytes.sequence([0x31, 0x00])),
        ("subject-long", DERBytes.name([common(0x0c, [UInt8](repeating: 0x61, count: 5000))])),
        (
            "subject-two-in-a-set",
            DERBytes.sequence(DERBytes.value(0x31, attribute(10, 0x0c, text) + attribute(3, 0x0c, text)))
        ),
        (
            "subject-set-sorted",
            DERBytes.sequence(DERBytes.value(0x31, attribute(3, 0x0c, text) + attribute(10, 0x0c, text)))
        ),
        ("subject-many", DERBytes.name((0..<60).map { attribute(11, 0x0c, Array("Unit \($0)".utf8)) })),
        ("subject-country", DERBytes.name([attribute(6, 0x13, Array("DE".utf8)), common(0x0c, text)])),
        ("subject-country-long", DERBytes.name([attribute(6, 0x13, Array("GERMANY".utf8)), common(0x0c, text)])),
        (
            "subject-mail",
            DERBytes.name([
                common(0x0c, text),
                DERBytes.sequence(
                    [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1],
                    DERBytes.value(0x16, Array("a@good.test".utf8))),
            ])
        ),
        (
            "subject-unknown-attribute",
            DERBytes.name([DERBytes.sequence([0x06, 0x03, 0x88, 0x37, 0x05], [0x30, 0x00]), common(0x0c, text)])
        ),
        ("subject-not-a-set", DERBytes.sequence(DERBytes.sequence(common(0x0c, text)))),
        (
            "subject-three-elements",
            DERBytes.name([DERBytes.sequence([0x06, 0x03, 0x55, 0x04, 3], [0x0c, 0x01, 0x61], [0x05, 0x00])])
        ),
        ("subject-server-name", DERBytes.name([common(0x0c, Array("good.test".utf8))])),
        ("subject-other-server", DERBytes.name([common(0x0c, Array("other.test".utf8))])),
        ("subject-spaces", DERBytes.name([common(0x0c, Array("  Some   Name ".utf8))])),
    ]

    /// Issuers that are the subject above by some reading of it; nil where they can't be made of it.
    private static let issuers: [(String, @Sendable ([UInt8]) -> [UInt8]?)] = [
        ("issuer-upper-case", { recoded($0, tag: nil) { $0.map { $0 >= 0x61 && $0 <= 0x7a ? $0 - 0x20 : $0 } } }),
        ("issuer-printable", { recoded($0, tag: 0x13) { $0 } }), ("issuer-teletex", { recoded($0, tag: 0x14) { $0 } }),
        ("issuer-ia5", { recoded($0, tag: 0x16) { $0 } }),
        ("issuer-bmp", { recoded($0, tag: 0x1e) { $0.flatMap { [0, $0] } } }),
        ("issuer-space-end", { recoded($0, tag: nil) { $0 + [0x20] } }),
        ("issuer-space-start", { recoded($0, tag: nil) { [0x20] + $0 } }),
        ("issuer-zero-end", { recoded($0, tag: nil) { $0 + [0] } }),
        ("issuer-tab-end", { recoded($0, tag: nil) { $0 + [0x09] } }),
        ("issuer-other", { _ in DERBytes.name([common(0x0c, text)]) }), ("issuer-empty", { _ in [0x30, 0x00] }),
        (
            "issuer-twice-the-name",
            { name in name.count < 60 ? DERBytes.value(0x30, Array(name.dropFirst(2) + name.dropFirst(2))) : nil }
        ),
        (
            "issuer-fullwidth",
            {
                recoded($0, tag: nil) { bytes in
                    bytes.flatMap { $0 >= 0x41 && $0 <= 0x5a ? [0xef, 0xbc, 0xa1 + ($0 - 0x41)] : [$0] }
                }
            }
        ),
        ("issuer-soft-hyphen", { recoded($0, tag: nil) { $0 + [0xc2, 0xad] } }),
    ]

    /// Returns a name of one short common name with other text.
    private static func recoded(_ name: [UInt8], tag: UInt8?, _ change: ([UInt8]) -> [UInt8]) -> [UInt8]? {
        guard name.count > 13, name.count < 100, name[4] == 0x30, name.count == 13 + Int(name[12]) else { return nil }
        return DERBytes.name([common(tag ?? name[11], change(Array(name[13...])))])
    }

    static let names: [CertificateRule] =
        subjects.map { name, encoded in .always(name) { $0.subject = encoded } }
        + issuers.map { name, change in
            CertificateRule(name) { plan, place, _ in
                guard place < plan.root, let issuer = change(plan.path[place + 1].subject) else { return false }
                plan.path[place].issuer = issuer
                return true
            }
        } + [
            CertificateRule("subject-of-issuer") { plan, place, _ in
                guard place < plan.root else { return false }
                plan.path[place].subject = plan.path[place + 1].subject
                return true
            },
            CertificateRule("issuer-of-itself") { plan, place, _ in
                guard place < plan.root else { return false }
                plan.path[place].issuer = plan.path[place].subject
                return true
            },
            CertificateRule("subject-spaces-issuer-not") { plan, place, _ in
                guard place > 0 else { return false }
                plan.path[place].subject = DERBytes.name([common(0x0c, Array("Some  Name".utf8))])
                plan.path[place - 1].issuer = DERBytes.name([common(0x0c, text)])
                return true
            },
            CertificateRule("root-issuer-other") { plan, place, _ in
                guard place == plan.root else { return false }
                plan.path[place].issuer = DERBytes.name([common(0x0c, text)])
                return true
            },
        ]
}
