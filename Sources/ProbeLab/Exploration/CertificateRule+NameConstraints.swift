/// Name constraints in the place of a certificate's own, or added.
extension CertificateRule {
    private static func permit(_ name: [UInt8]) -> [UInt8] { sequence(DERBytes.value(0xa0, DERBytes.sequence(name))) }
    private static func exclude(_ name: [UInt8]) -> [UInt8] { sequence(DERBytes.value(0xa1, DERBytes.sequence(name))) }

    static let constraints: [Value] = list(
        30, isCritical: true,
        [
            ("permits-name", permit(dns("good.test"))), ("permits-domain", permit(dns("test"))),
            ("permits-below", permit(dns(".good.test"))), ("permits-dot-domain", permit(dns(".test"))),
            ("permits-other", permit(dns("other.test"))), ("permits-all", permit(dns(""))),
            ("permits-upper-case", permit(dns("GOOD.TEST"))), ("permits-trailing-dot", permit(dns("good.test."))),
            ("permits-wildcard", permit(dns("*.test"))), ("permits-suffix", permit(dns("ood.test"))),
            ("excludes-name", exclude(dns("good.test"))), ("excludes-www", exclude(dns("www.good.test"))),
            ("excludes-other", exclude(dns("other.test"))), ("excludes-all", exclude(dns(""))),
            ("excludes-below", exclude(dns(".good.test"))), ("excludes-malformed", exclude(dns("bad..test"))),
            ("permits-address", permit(DERBytes.value(0x87, [127, 0, 0, 0, 255, 0, 0, 0]))),
            ("permits-other-address", permit(DERBytes.value(0x87, [10, 0, 0, 0, 255, 0, 0, 0]))),
            ("permits-address-odd-mask", permit(DERBytes.value(0x87, [127, 0, 0, 0, 255, 0, 255, 0]))),
            ("permits-address-5-bytes", permit(DERBytes.value(0x87, [127, 0, 0, 0, 255]))),
            ("excludes-all-addresses", exclude(DERBytes.value(0x87, [0, 0, 0, 0, 0, 0, 0, 0]))),
            ("excludes-other-address", exclude(DERBytes.value(0x87, [10, 0, 0, 0, 255, 0, 0, 0]))),
            ("permits-directory", permit(directory("good.test"))),
            ("permits-other-directory", permit(directory("other"))),
            ("excludes-directory", exclude(directory("good.test"))),
            ("excludes-other-directory", exclude(directory("other"))),
            ("permits-empty-directory", permit(DERBytes.value(0xa4, [0x30, 0x00]))),
            ("permits-mail", permit(DERBytes.value(0x81, Array("good.test".utf8)))),
            ("excludes-mail", exclude(DERBytes.value(0x81, Array("good.test".utf8)))),
            ("permits-uri", permit(DERBytes.value(0x86, Array("good.test".utf8)))),
            ("excludes-uri-address", exclude(DERBytes.value(0x86, Array("127.0.0.1".utf8)))),
            ("permits-registered", permit([0x88, 0x03, 0x88, 0x37, 0x01])),
            ("excludes-otherName", exclude(DERBytes.value(0xa0, policy1 + DERBytes.value(0xa0, [0x0c, 0x01, 0x61])))),
            ("constraints-empty", [0x30, 0x00]), ("permits-nothing", sequence([0xa0, 0x00])),
            ("constraint-minimum", permit(dns("good.test") + [0x80, 0x01, 0x01])),
            ("constraint-minimum-0", permit(dns("good.test") + [0x80, 0x01, 0x00])),
            ("constraint-maximum", permit(dns("good.test") + [0x81, 0x01, 0x05])),
            (
                "constraints-swapped",
                sequence(
                    DERBytes.value(0xa1, DERBytes.sequence(dns("other.test"))),
                    DERBytes.value(0xa0, DERBytes.sequence(dns("test"))))
            ),
            (
                "constraints-both",
                sequence(
                    DERBytes.value(0xa0, DERBytes.sequence(dns("test"))),
                    DERBytes.value(0xa1, DERBytes.sequence(dns("good.test"))))
            ),
        ])
}
