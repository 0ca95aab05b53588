/// The record types this code knows by number.
package enum DNSType: Sendable {
    package static let a: UInt16 = 1
    package static let ns: UInt16 = 2
    package static let cname: UInt16 = 5
    package static let soa: UInt16 = 6
    package static let mx: UInt16 = 15
    package static let txt: UInt16 = 16
    package static let aaaa: UInt16 = 28
    package static let srv: UInt16 = 33
    package static let dname: UInt16 = 39
    package static let opt: UInt16 = 41
    package static let rrsig: UInt16 = 46
    package static let tlsa: UInt16 = 52
    package static let https: UInt16 = 65

    /// The types' mnemonics (IANA registry "Resource Record (RR) TYPEs"), as far as messages name them.
    private static let names: [UInt16: String] = [
        1: "A", 2: "NS", 3: "MD", 4: "MF", 5: "CNAME", 6: "SOA", 7: "MB", 8: "MG", 9: "MR", 11: "WKS", 12: "PTR",
        13: "HINFO", 14: "MINFO", 15: "MX", 16: "TXT", 17: "RP", 18: "AFSDB", 19: "X25", 20: "ISDN", 21: "RT",
        23: "NSAP-PTR", 24: "SIG", 25: "KEY", 26: "PX", 27: "GPOS", 28: "AAAA", 29: "LOC", 30: "NXT", 33: "SRV",
        35: "NAPTR", 36: "KX", 37: "CERT", 39: "DNAME", 40: "SINK", 41: "OPT", 42: "APL", 43: "DS", 44: "SSHFP",
        45: "IPSECKEY",
        46: "RRSIG", 47: "NSEC", 48: "DNSKEY", 50: "NSEC3", 51: "NSEC3PARAM", 52: "TLSA", 53: "SMIMEA", 55: "HIP",
        56: "NINFO", 57: "RKEY", 58: "TALINK", 59: "CDS", 60: "CDNSKEY", 62: "CSYNC", 63: "ZONEMD", 64: "SVCB",
        65: "HTTPS", 99: "SPF", 104: "NID", 105: "L32", 106: "L64", 107: "LP", 108: "EUI48", 109: "EUI64",
        249: "TKEY", 250: "TSIG", 251: "IXFR", 252: "AXFR", 255: "ANY", 256: "URI", 257: "CAA", 258: "AVC",
        260: "AMTRELAY", 32768: "TA", 32769: "DLV",
    ]

    /// Returns a type's mnemonic, or `TYPE` and its number (RFC 3597 section 5).
    package static func name(_ type: UInt16) -> String { names[type] ?? "TYPE\(type)" }
}

/// The record classes this code knows by number.
package enum DNSClass: Sendable {
    package static let internet: UInt16 = 1
    package static let chaos: UInt16 = 3
}
