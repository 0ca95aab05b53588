import ProbePlatform

/// Other dates, and other forms of dates.
extension CertificateRule {
    private static let ends: [(String, [UInt8])] = [
        ("ends-now", ChainShape.utc("261101120000Z")), ("ended-a-second-ago", ChainShape.utc("261101115959Z")),
        ("ends-in-a-second", ChainShape.utc("261101120001Z")), ("ended", ChainShape.utc("261001000000Z")),
        ("ends-generalized", ChainShape.generalized("20261231000000Z")),
        ("ends-never", ChainShape.generalized("99991231235959Z")),
        ("ends-2050", ChainShape.generalized("20500101000000Z")), ("ends-utc-50", ChainShape.utc("500101000000Z")),
        ("ends-utc-49", ChainShape.utc("491231235959Z")), ("ends-without-seconds", ChainShape.utc("2612310000Z")),
        ("ends-with-offset", ChainShape.utc("261231000000+0000")),
        ("ends-with-far-offset", ChainShape.utc("261101110000-0200")),
        ("ends-with-fraction", ChainShape.generalized("20261231000000.5Z")),
        ("ends-lower-case", ChainShape.utc("261231000000z")),
        ("ends-without-zone", ChainShape.utc("261231000000")), ("ends-month-13", ChainShape.utc("261331000000Z")),
        ("ends-february-30", ChainShape.utc("270230000000Z")), ("ends-february-29", ChainShape.utc("270229000000Z")),
        ("ends-hour-24", ChainShape.utc("261231240000Z")), ("ends-second-60", ChainShape.utc("261231235960Z")),
        ("ends-day-0", ChainShape.utc("261200000000Z")), ("ends-no-digits", ChainShape.utc("YYMMDDHHMMSSZ")),
        ("ends-with-space", ChainShape.utc("261231000000 Z")), ("ends-empty", [0x17, 0x00]),
        ("ends-year-0", ChainShape.generalized("00000101000000Z")),
        ("ends-utc-digits-generalized", ChainShape.generalized("261231000000Z")),
        ("ends-generalized-digits-utc", ChainShape.utc("20261231000000Z")),
        ("ends-year-10000", ChainShape.generalized("100000101000000Z")),
        ("ends-as-text", DERBytes.value(0x13, Array("261231000000Z".utf8))),
        ("ends-trailing-zero", ChainShape.utc("261231000000Z\0")),
    ]
    private static let beginnings: [(String, [UInt8])] = [
        ("begins-now", ChainShape.utc("261101120000Z")), ("begins-in-a-second", ChainShape.utc("261101120001Z")),
        ("began-a-second-ago", ChainShape.utc("261101115959Z")), ("begins-later", ChainShape.utc("261201000000Z")),
        ("began-1950", ChainShape.utc("500101000000Z")), ("began-1949", ChainShape.generalized("19490101000000Z")),
        ("began-1900", ChainShape.generalized("19000101000000Z")),
        ("began-generalized", ChainShape.generalized("20261002000000Z")),
        ("began-without-seconds", ChainShape.utc("2610020000Z")),
        ("began-with-offset", ChainShape.utc("261002000000+0000")),
        ("began-february-30", ChainShape.utc("260230000000Z")), ("began-empty", [0x17, 0x00]),
        ("began-year-0", ChainShape.generalized("00000101000000Z")),
    ]

    static let dates: [CertificateRule] =
        ends.map { name, time in .always(name) { $0.notAfter = time } }
        + beginnings.map { name, time in .always(name) { $0.notBefore = time } }
        + [
            .always("dates-swapped") { swap(&$0.notBefore, &$0.notAfter) },
            .always("dates-of-one-second") {
                $0.notBefore = ChainShape.utc("261101120000Z")
                $0.notAfter = $0.notBefore
            },
            CertificateRule("dates-of-another") { plan, place, numbers in
                let other = numbers.below(plan.path.count)
                (plan.path[place].notBefore, plan.path[place].notAfter) = (
                    plan.path[other].notBefore, plan.path[other].notAfter
                )
                return other != place
            },
        ]
}
