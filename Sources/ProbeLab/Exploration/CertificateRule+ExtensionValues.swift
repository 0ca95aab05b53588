import ProbePlatform

/// Extensions that take the place of a certificate's own, or are added.
extension CertificateRule {
    private static let purpose: [UInt8] = [0x2b, 6, 1, 5, 5, 7, 3]
    private static let server: [UInt8] = [0x06, 0x08] + purpose + [1]
    static let policy1: [UInt8] = [0x06, 0x03, 0x88, 0x37, 0x01]
    private static let policy2: [UInt8] = [0x06, 0x03, 0x88, 0x37, 0x02]
    private static let anyPolicy: [UInt8] = [0x06, 0x04, 0x55, 0x1d, 0x20, 0x00]

    private static func purposes(_ last: UInt8...) -> [UInt8] {
        DERBytes.value(0x30, last.flatMap { [0x06, 0x08] + purpose + [$0] })
    }
    static func dns(_ text: String) -> [UInt8] { DERBytes.value(0x82, Array(text.utf8)) }
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { DERBytes.value(0x30, Array(parts.joined())) }
    static func directory(_ text: String) -> [UInt8] {
        DERBytes.value(0xa4, DERBytes.name([DERBytes.commonName(text)]))
    }
    private static func policies(_ parts: [UInt8]...) -> [UInt8] {
        DERBytes.value(0x30, parts.flatMap { DERBytes.sequence($0) })
    }

    /// The values by name, with the identifier and whether they are usually critical.
    private static let values: [Value] =
        basic + usages + extended + alternatives + constraints + policyValues + identifiers + others

    typealias Value = (name: String, oid: [UInt8], isCritical: Bool, value: [UInt8])

    static func list(_ arc: UInt8, isCritical: Bool, _ values: [(String, [UInt8])]) -> [Value] {
        values.map { ($0.0, [0x55, 0x1d, arc], isCritical, $0.1) }
    }
    private static func list(_ values: [(String, UInt8, Bool, [UInt8])]) -> [Value] {
        values.map { ($0.0, [0x55, 0x1d, $0.1], $0.2, $0.3) }
    }

    private static let basic = list(
        19, isCritical: true,
        [
            ("ca-false-written", [0x30, 0x03, 0x01, 0x01, 0x00]), ("ca-true", [0x30, 0x03, 0x01, 0x01, 0xff]),
            ("ca-true-as-01", [0x30, 0x03, 0x01, 0x01, 0x01]), ("ca-false", [0x30, 0x00]),
            ("path-length-0", [0x30, 0x06, 0x01, 0x01, 0xff, 0x02, 0x01, 0x00]),
            ("path-length-1", [0x30, 0x06, 0x01, 0x01, 0xff, 0x02, 0x01, 0x01]),
            ("path-length-huge", [0x30, 0x0e, 0x01, 0x01, 0xff, 0x02, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("path-length-negative", [0x30, 0x06, 0x01, 0x01, 0xff, 0x02, 0x01, 0xff]),
            ("path-length-padded", [0x30, 0x07, 0x01, 0x01, 0xff, 0x02, 0x02, 0x00, 0x01]),
            ("path-length-without-ca", [0x30, 0x03, 0x02, 0x01, 0x00]), ("basic-empty-octets", []),
            ("basic-trailing-byte", [0x30, 0x04, 0x01, 0x01, 0xff, 0x00]),
            ("basic-null", [0x05, 0x00]),
        ])

    private static let usages = list(
        15, isCritical: true,
        [
            ("usage-signature", [0x03, 0x02, 0x07, 0x80]), ("usage-non-repudiation", [0x03, 0x02, 0x06, 0x40]),
            ("usage-key-encipherment", [0x03, 0x02, 0x05, 0x20]),
            ("usage-data-encipherment", [0x03, 0x02, 0x04, 0x10]),
            ("usage-key-agreement", [0x03, 0x02, 0x03, 0x08]), ("usage-cert-sign", [0x03, 0x02, 0x02, 0x04]),
            ("usage-crl-sign", [0x03, 0x02, 0x01, 0x02]), ("usage-encipher-only", [0x03, 0x02, 0x00, 0x01]),
            ("usage-decipher-only", [0x03, 0x03, 0x07, 0x00, 0x80]), ("usage-all", [0x03, 0x03, 0x07, 0xff, 0x80]),
            ("usage-signature-and-cert-sign", [0x03, 0x02, 0x02, 0x84]),
            ("usage-no-bits", [0x03, 0x01, 0x00]), ("usage-zero-bits", [0x03, 0x02, 0x07, 0x00]),
            ("usage-padded", [0x03, 0x02, 0x00, 0x80]), ("usage-padded-byte", [0x03, 0x03, 0x00, 0x86, 0x00]),
            ("usage-unused-set", [0x03, 0x02, 0x07, 0x87]), ("usage-unused-eight", [0x03, 0x02, 0x08, 0x80]),
            ("usage-ten-bits", [0x03, 0x03, 0x06, 0x86, 0x40]), ("usage-empty-octets", []),
            ("usage-octet-string", [0x04, 0x01, 0x80]), ("usage-trailing-byte", [0x03, 0x02, 0x07, 0x80, 0x00]),
        ])

    private static let extended = list(
        37, isCritical: false,
        [
            ("purpose-server", purposes(1)), ("purpose-client", purposes(2)), ("purpose-both", purposes(1, 2)),
            ("purpose-code", purposes(3)), ("purpose-email", purposes(4)), ("purpose-time", purposes(8)),
            ("purpose-ocsp", purposes(9)), ("purpose-server-twice", purposes(1, 1)), ("purpose-empty", [0x30, 0x00]),
            ("purpose-any", sequence([0x06, 0x04, 0x55, 0x1d, 0x25, 0x00])),
            ("purpose-server-and-any", sequence(server, [0x06, 0x04, 0x55, 0x1d, 0x25, 0x00])),
            ("purpose-unknown", sequence(policy1)), ("purpose-server-and-unknown", sequence(policy1, server)),
            ("purpose-netscape", sequence([0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x86, 0xf8, 0x42, 0x04, 0x01])),
            ("purpose-microsoft", sequence([0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x0a, 0x03, 0x03])),
            ("purpose-empty-identifier", sequence([0x06, 0x00])), ("purpose-not-a-list", server),
            ("purpose-no-octets", []),
        ])

    private static let policyValues = list([
        ("policy-one", 32, false, policies(policy1)), ("policy-other", 32, false, policies(policy2)),
        ("policy-any", 32, false, policies(anyPolicy)), ("policy-twice", 32, false, policies(policy1, policy1)),
        ("policy-empty", 32, false, [0x30, 0x00]), ("policy-critical", 32, true, policies(policy1)),
        ("policy-unknown-qualifier", 32, false, policies(policy1 + sequence(sequence(policy2, [0x05, 0x00])))),
        ("policy-unknown-qualifier-critical", 32, true, policies(policy1 + sequence(sequence(policy2, [0x05, 0x00])))),
        ("policy-empty-qualifiers", 32, false, policies(policy1 + [0x30, 0x00])),
        (
            "policy-statement", 32, false,
            policies(policy1 + sequence(sequence([0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 2, 1], [0x16, 0x01, 0x61])))
        ),
        ("policy-malformed", 32, false, [0x30, 0x02, 0x05, 0x00]),
        ("mapping", 33, true, sequence(sequence(policy1, policy2))),
        ("mapping-not-critical", 33, false, sequence(sequence(policy1, policy2))),
        ("mapping-of-any", 33, true, sequence(sequence(anyPolicy, policy1))),
        ("mapping-to-any", 33, true, sequence(sequence(policy1, anyPolicy))),
        ("mapping-empty", 33, true, [0x30, 0x00]),
        ("require-policy-0", 36, true, [0x30, 0x03, 0x80, 0x01, 0x00]),
        ("require-policy-1", 36, true, [0x30, 0x03, 0x80, 0x01, 0x01]),
        ("require-policy-not-critical", 36, false, [0x30, 0x03, 0x80, 0x01, 0x00]),
        ("inhibit-mapping", 36, true, [0x30, 0x03, 0x81, 0x01, 0x00]),
        ("policy-constraints-empty", 36, true, [0x30, 0x00]),
        ("policy-constraints-negative", 36, true, [0x30, 0x03, 0x80, 0x01, 0xff]),
        ("inhibit-any-0", 54, true, [0x02, 0x01, 0x00]), ("inhibit-any-1", 54, true, [0x02, 0x01, 0x01]),
        ("inhibit-any-not-critical", 54, false, [0x02, 0x01, 0x00]),
        ("inhibit-any-negative", 54, true, [0x02, 0x01, 0xff]),
        ("inhibit-any-malformed", 54, true, [0x05, 0x00]),
    ])

    private static let identifiers = list([
        ("authority-key-empty", 35, false, [0x30, 0x00]),
        ("authority-key-other", 35, false, sequence(DERBytes.value(0x80, [UInt8](repeating: 7, count: 20)))),
        ("authority-key-no-bytes", 35, false, sequence([0x80, 0x00])),
        ("authority-serial-other", 35, false, sequence(DERBytes.value(0xa1, directory("Root")), [0x82, 0x01, 0x07])),
        ("authority-name-alone", 35, false, sequence(DERBytes.value(0xa1, directory("Root")))),
        ("authority-serial-alone", 35, false, sequence([0x82, 0x01, 0x07])),
        ("authority-key-critical", 35, true, [0x30, 0x00]), ("authority-key-malformed", 35, false, [0x05, 0x00]),
        ("authority-key-no-octets", 35, false, []), ("authority-key-critical-malformed", 35, true, [0x04, 0x00]),
        ("subject-key-other", 14, false, DERBytes.value(0x04, [UInt8](repeating: 9, count: 20))),
        ("subject-key-empty", 14, false, [0x04, 0x00]), ("subject-key-critical", 14, true, DERBytes.value(0x04, [1])),
        ("subject-key-malformed", 14, false, [0x05, 0x00]),
        ("subject-key-long", 14, false, DERBytes.value(0x04, [UInt8](repeating: 9, count: 300))),
        ("subject-key-no-octets", 14, false, []),
        ("issuer-names", 18, false, sequence(dns("issuer.test"))), ("issuer-names-empty", 18, false, [0x30, 0x00]),
        ("issuer-names-critical", 18, true, sequence(dns("issuer.test"))),
        ("issuer-names-malformed", 18, false, [0x05, 0x00]),
        (
            "crl-points", 31, false,
            sequence(
                sequence(
                    DERBytes.value(0xa0, DERBytes.value(0xa0, DERBytes.value(0x86, Array("http://crl.test/".utf8))))))
        ),
        (
            "crl-points-critical", 31, true,
            sequence(
                sequence(
                    DERBytes.value(0xa0, DERBytes.value(0xa0, DERBytes.value(0x86, Array("http://crl.test/".utf8))))))
        ),
        ("crl-points-empty", 31, false, [0x30, 0x00]), ("crl-points-malformed", 31, false, [0x05, 0x00]),
        ("crl-points-reasons-alone", 31, false, sequence(sequence([0x81, 0x02, 0x00, 0x40]))),
        ("crl-points-malformed-critical", 31, true, [0x05, 0x00]),
        (
            "freshest-crl", 46, false,
            sequence(
                sequence(
                    DERBytes.value(0xa0, DERBytes.value(0xa0, DERBytes.value(0x86, Array("http://crl.test/".utf8))))))
        ),
        (
            "freshest-crl-critical", 46, true,
            sequence(
                sequence(
                    DERBytes.value(0xa0, DERBytes.value(0xa0, DERBytes.value(0x86, Array("http://crl.test/".utf8))))))
        ),
        (
            "key-period-past", 16, false,
            sequence(
                DERBytes.value(0x80, Array("20200101000000Z".utf8)), DERBytes.value(0x81, Array("20210101000000Z".utf8))
            )
        ),
        ("key-period-critical", 16, true, sequence(DERBytes.value(0x80, Array("20200101000000Z".utf8)))),
        ("directory-attributes", 9, false, sequence(sequence(policy1, DERBytes.value(0x31, [0x05, 0x00])))),
        ("directory-attributes-critical", 9, true, sequence(sequence(policy1, DERBytes.value(0x31, [0x05, 0x00])))),
        ("crl-number", 20, false, [0x02, 0x01, 0x01]), ("issuing-point-critical", 28, true, [0x30, 0x00]),
    ])

    private static let pkix: [UInt8] = [0x2b, 6, 1, 5, 5, 7, 1]
    private static let others: [Value] = [
        ("unknown", [0x88, 0x37, 0x09], false, [0x05, 0x00]),
        ("unknown-critical", [0x88, 0x37, 0x09], true, [0x05, 0x00]),
        ("unknown-no-octets", [0x88, 0x37, 0x09], false, []),
        ("unknown-not-der", [0x88, 0x37, 0x09], false, [0x30, 0x84]),
        ("unknown-long", [0x88, 0x37, 0x09], false, [UInt8](repeating: 0, count: 20_000)),
        ("unknown-empty-identifier", [], false, [0x05, 0x00]),
        ("unknown-padded-identifier", [0x88, 0x80, 0x37], false, [0x05, 0x00]),
        ("unknown-cut-identifier", [0x88, 0xb7], false, [0x05, 0x00]),
        ("unknown-huge-arc", [0x88, 0x37] + [UInt8](repeating: 0xff, count: 12) + [0x7f], false, [0x05, 0x00]),
        (
            "access", pkix + [1], false,
            sequence(
                sequence(
                    [0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 0x30, 1], DERBytes.value(0x86, Array("http://ocsp.test/".utf8))))
        ),
        (
            "access-critical", pkix + [1], true,
            sequence(
                sequence(
                    [0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 0x30, 1], DERBytes.value(0x86, Array("http://ocsp.test/".utf8))))
        ),
        ("access-empty", pkix + [1], false, [0x30, 0x00]), ("access-malformed", pkix + [1], false, [0x05, 0x00]),
        (
            "subject-access-critical", pkix + [11], true,
            sequence(
                sequence(
                    [0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 0x30, 5], DERBytes.value(0x86, Array("http://a.test/".utf8))))
        ),
        ("features-staple", pkix + [24], false, [0x30, 0x03, 0x02, 0x01, 0x05]),
        ("features-staple-critical", pkix + [24], true, [0x30, 0x03, 0x02, 0x01, 0x05]),
        ("features-staple-2", pkix + [24], false, [0x30, 0x03, 0x02, 0x01, 0x11]),
        ("features-empty", pkix + [24], false, [0x30, 0x00]),
        ("features-unknown", pkix + [24], false, [0x30, 0x04, 0x02, 0x02, 0x7f, 0xff]),
        ("features-malformed", pkix + [24], false, [0x05, 0x00]),
        ("proxy", pkix + [14], false, sequence(sequence([0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 21, 1]))),
        ("proxy-critical", pkix + [14], true, sequence(sequence([0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 21, 1]))),
        ("statements", pkix + [3], false, sequence(sequence(policy1))),
        ("statements-critical", pkix + [3], true, sequence(sequence(policy1))),
        ("addresses-critical", pkix + [7], true, sequence(sequence([0x04, 0x02, 0x00, 0x01], [0x05, 0x00]))),
        ("numbers-critical", pkix + [8], true, sequence(DERBytes.value(0xa0, [0x05, 0x00]))),
        ("ocsp-no-check", [0x2b, 6, 1, 5, 5, 7, 0x30, 1, 5], false, [0x05, 0x00]),
        ("poison", [0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 4, 3], true, [0x05, 0x00]),
        ("timestamps-malformed", [0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 4, 2], false, [0x04, 0x02, 0xff, 0xff]),
        ("netscape-server", [0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 1, 1], false, [0x03, 0x02, 0x06, 0x40]),
        ("netscape-client", [0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 1, 1], false, [0x03, 0x02, 0x07, 0x80]),
        ("netscape-client-critical", [0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 1, 1], true, [0x03, 0x02, 0x07, 0x80]),
        ("netscape-malformed", [0x60, 0x86, 0x48, 1, 0x86, 0xf8, 0x42, 1, 1], false, [0x05, 0x00]),
        ("application-policies-critical", [0x2b, 6, 1, 4, 1, 0x82, 0x37, 0x15, 10], true, sequence(sequence(server))),
    ]

    static let extensionValues: [CertificateRule] = values.map { name, oid, isCritical, value in
        .always(name) {
            $0.put(.init(oid: oid, criticality: isCritical ? CertificatePlan.Extension.critical : [], value: value))
        }
    }
}
