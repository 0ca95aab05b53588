import ProbeKit

extension DNSRecordForm {
    /// The form of each known type; RFC 1035 section 3.3 unless noted.
    package static let fields: [UInt16: [Field]] = [
        1: [.bytes(4)],  // A
        DNSType.ns: [.name],
        3: [.name],  // MD
        4: [.name],  // MF
        DNSType.cname: [.name],
        DNSType.soa: [.name, .name, .bytes(20)],
        7: [.name],  // MB
        8: [.name],  // MG
        9: [.name],  // MR
        11: [.bytes(5), .rest],  // WKS
        12: [.name],  // PTR
        13: [.string, .string],  // HINFO
        14: [.name, .name],  // MINFO
        15: [.bytes(2), .name],  // MX
        DNSType.txt: [.strings],
        17: [.name, .name],  // RP, RFC 1183
        18: [.bytes(2), .name],  // AFSDB, RFC 1183
        19: [.string],  // X25, RFC 1183
        20: [.string, .optionalString],  // ISDN, RFC 1183
        21: [.bytes(2), .name],  // RT, RFC 1183
        24: [.bytes(18), .name, .rest],  // SIG, RFC 2535
        25: [.bytes(4), .rest],  // KEY, RFC 2535
        26: [.bytes(2), .name, .name],  // PX, RFC 2163
        27: [.string, .string, .string],  // GPOS, RFC 1712
        28: [.bytes(16)],  // AAAA, RFC 3596
        29: [.location],  // LOC
        30: [.name, .rest],  // NXT, RFC 2535
        33: [.bytes(6), .name],  // SRV, RFC 2782
        35: [.bytes(4), .string, .string, .string, .name],  // NAPTR, RFC 3403
        36: [.bytes(2), .name],  // KX, RFC 2230
        37: [.bytes(5), .rest],  // CERT, RFC 4398
        DNSType.dname: [.name],  // RFC 6672
        42: [.prefixes],  // APL
        43: [.bytes(4), .rest],  // DS, RFC 4034
        44: [.bytes(2), .rest],  // SSHFP, RFC 4255
        45: [.keyGateway, .rest],  // IPSECKEY
        DNSType.rrsig: [.bytes(18), .name, .rest],  // RFC 4034
        47: [.name, .typeBitmap],  // NSEC, RFC 4034
        48: [.bytes(4), .rest],  // DNSKEY, RFC 4034
        50: [.bytes(4), .string, .string, .typeBitmap],  // NSEC3, RFC 5155: salt and next hash have lengths too
        51: [.bytes(4), .string],  // NSEC3PARAM, RFC 5155
        52: [.bytes(3), .rest],  // TLSA, RFC 6698
        53: [.bytes(3), .rest],  // SMIMEA, RFC 8162
        55: [.hostIdentity, .plainNames],  // HIP
        56: [.strings],  // NINFO
        57: [.bytes(4), .rest],  // RKEY
        58: [.name, .name],  // TALINK
        59: [.bytes(4), .rest],  // CDS, RFC 7344
        60: [.bytes(4), .rest],  // CDNSKEY, RFC 7344
        62: [.bytes(6), .typeBitmap],  // CSYNC, RFC 7477
        63: [.bytes(6), .rest],  // ZONEMD, RFC 8976
        64: [.bytes(2), .name, .parameters],  // SVCB, RFC 9460
        65: [.bytes(2), .name, .parameters],  // HTTPS, RFC 9460
        99: [.strings],  // SPF, RFC 7208
        104: [.bytes(10)],  // NID, RFC 6742
        105: [.bytes(6)],  // L32, RFC 6742
        106: [.bytes(10)],  // L64, RFC 6742
        107: [.bytes(2), .name],  // LP, RFC 6742
        108: [.bytes(6)],  // EUI48, RFC 7043
        109: [.bytes(8)],  // EUI64, RFC 7043
        256: [.bytes(4), .rest],  // URI, RFC 7553
        257: [.bytes(1), .string, .rest],  // CAA, RFC 8659
        258: [.strings],  // AVC
        260: [.relay],  // AMTRELAY
        32768: [.bytes(4), .rest],  // TA
        32769: [.bytes(4), .rest],  // DLV, RFC 4431
    ]

    /// Returns true if no reply to an ordinary query can hold a record of this type: the types of questions and
    /// transactions (RFC 6895 section 3.1), including TSIG and TKEY; NSAP-PTR, whose form libraries disagree on; and
    /// SINK, which never became a standard, and whose data ldns does not skip.
    static func isNoData(_ type: UInt16) -> Bool { (128...255).contains(type) || type == 23 || type == 40 }
}
