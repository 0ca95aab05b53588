/// Subject alternative names in the place of a certificate's own.
extension CertificateRule {
    static let alternatives: [Value] = list(
        17, isCritical: false,
        [
            ("names-empty", [0x30, 0x00]), ("names-upper-case", sequence(dns("GOOD.TEST"))),
            ("names-trailing-dot", sequence(dns("good.test."))), ("names-leading-dot", sequence(dns(".good.test"))),
            ("names-wildcard-top", sequence(dns("*.test"))), ("names-wildcard-alone", sequence(dns("*"))),
            ("names-wildcard-below", sequence(dns("*.good.test"))), ("names-wildcard-two", sequence(dns("*.*.test"))),
            ("names-wildcard-partial", sequence(dns("g*.test"))), ("names-wildcard-inner", sequence(dns("go*d.test"))),
            ("names-wildcard-end", sequence(dns("*od.test"))), ("names-wildcard-second", sequence(dns("good.*"))),
            ("names-wildcard-idn", sequence(dns("xn--*.test"))),
            ("names-zero-byte", sequence(dns("good.test\0.evil.test"))),
            ("names-zero-end", sequence(dns("good.test\0"))),
            ("names-space-end", sequence(dns("good.test "))), ("names-space-start", sequence(dns(" good.test"))),
            ("names-underscore", sequence(dns("good.test"), dns("a_b.test"))),
            ("names-utf8", sequence(dns("good.test"), dns("é.test"))),
            ("names-empty-dns", sequence(dns("good.test"), dns(""))),
            ("names-empty-dns-first", sequence(dns(""), dns("good.test"))),
            ("names-long-label", sequence(dns("good.test"), dns(String(repeating: "a", count: 64) + ".test"))),
            ("names-long", sequence(dns("good.test"), dns(String(repeating: "a.", count: 150) + "test"))),
            ("names-double-dot", sequence(dns("good.test"), dns("good..test"))),
            ("names-address-as-dns", sequence(dns("127.0.0.1"))),
            ("names-other", sequence(dns("other.test"))), ("names-url", sequence(dns("https://good.test/"))),
            ("names-port", sequence(dns("good.test:443"))),
            ("names-mail-alone", sequence(DERBytes.value(0x81, Array("a@good.test".utf8)))),
            ("names-uri-alone", sequence(DERBytes.value(0x86, Array("https://good.test/".utf8)))),
            ("names-directory-alone", sequence(directory("good.test"))),
            ("names-address-alone", sequence(DERBytes.value(0x87, [127, 0, 0, 1]))),
            ("names-address-6", sequence(DERBytes.value(0x87, [UInt8](repeating: 0, count: 15) + [1]))),
            (
                "names-address-mapped",
                sequence(DERBytes.value(0x87, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1]))
            ),
            ("names-address-5-bytes", sequence(dns("good.test"), DERBytes.value(0x87, [127, 0, 0, 1, 0]))),
            ("names-address-no-bytes", sequence(dns("good.test"), DERBytes.value(0x87, []))),
            ("names-address-8-bytes", sequence(dns("good.test"), DERBytes.value(0x87, [127, 0, 0, 0, 255, 0, 0, 0]))),
            ("names-registered", sequence(dns("good.test"), [0x88, 0x03, 0x88, 0x37, 0x01])),
            (
                "names-otherName",
                sequence(dns("good.test"), DERBytes.value(0xa0, policy1 + DERBytes.value(0xa0, [0x0c, 0x01, 0x61])))
            ),
            ("names-otherName-malformed", sequence(dns("good.test"), DERBytes.value(0xa0, [0x05, 0x00]))),
            ("names-x400", sequence(dns("good.test"), DERBytes.value(0xa3, [0x30, 0x00]))),
            ("names-unknown-choice", sequence(dns("good.test"), [0x89, 0x01, 0x61])),
            ("names-universal-tag", sequence(dns("good.test"), [0x0c, 0x01, 0x61])),
            ("names-mail-malformed", sequence(dns("good.test"), DERBytes.value(0x81, Array("no mail".utf8)))),
            ("names-uri-malformed", sequence(dns("good.test"), DERBytes.value(0x86, Array("::".utf8)))),
            ("names-same-twice", sequence(dns("good.test"), dns("good.test"))),
            ("names-constructed-dns", sequence(DERBytes.value(0xa2, DERBytes.value(0x16, Array("good.test".utf8))))),
            ("names-trailing-byte", sequence(dns("good.test")) + [0]), ("names-no-octets", []),
            ("names-many", DERBytes.value(0x30, (0..<400).flatMap { dns("n\($0).test") } + dns("good.test"))),
        ])
}
