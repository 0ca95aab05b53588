/// A whole DNS message as the strict reader read it (RFC 1035 section 4).
package struct DNSMessage: Sendable {
    /// An entry of the question section.
    package struct Question: Hashable, Sendable {
        package let name: DNSName
        package let type: UInt16
        package let questionClass: UInt16

        package init(name: DNSName, type: UInt16, questionClass: UInt16) {
            self.name = name
            self.type = type
            self.questionClass = questionClass
        }

        /// Returns a question for a name's TXT records.
        package static func txt(_ name: DNSName) -> Question {
            Question(name: name, type: DNSType.txt, questionClass: DNSClass.internet)
        }
    }

    /// The header and the question, enough to match a reply to its query.
    package struct Opening: Sendable {
        package let header: DNSHeader
        /// The question; nil if the section is empty.
        package let question: Question?
        /// The position of the first record.
        package let end: Int

        package init(header: DNSHeader, question: Question?, end: Int) {
            self.header = header
            self.question = question
            self.end = end
        }
    }

    package let header: DNSHeader
    /// The question; nil if the section is empty.
    package let question: Question?
    package let answers: [DNSRecord]
    package let authorities: [DNSRecord]
    package let additional: [DNSRecord]
    /// The content of the OPT record; nil if there is none.
    package let options: DNSOptions?
    /// The message as it came; the records' data are ranges of it.
    package let bytes: [UInt8]

    package init(
        bytes: [UInt8], header: DNSHeader, question: Question?, answers: [DNSRecord], authorities: [DNSRecord],
        additional: [DNSRecord], options: DNSOptions?
    ) {
        self.bytes = bytes
        self.header = header
        self.question = question
        self.answers = answers
        self.authorities = authorities
        self.additional = additional
        self.options = options
    }

    /// The response code with the OPT record's bits.
    package var responseCode: DNSAttempt.ResponseCode {
        DNSAttempt.ResponseCode(
            rawValue: UInt16(options?.extendedResponseCode ?? 0) << 4 | header.responseCode.rawValue)
    }
}

/// A reply as received, whose parts are parsed at most once, by whoever needs them first.
package final class DNSReply: Sendable {
    package let bytes: [UInt8]
    /// The header; nil if there are fewer than twelve bytes.
    package let header: DNSHeader?
    /// Filled by the strict reader.
    package let readOpening = Once<Result<DNSMessage.Opening, ReplyFault>>()
    /// Filled by the strict reader.
    package let readMessage = Once<Result<DNSMessage, ReplyFault>>()

    /// Creates a reply that nobody has parsed yet.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        header = DNSHeader(bytes)
    }
}

/// The twelve bytes every DNS message begins with (RFC 1035 section 4.1.1).
package struct DNSHeader: Sendable {
    /// Its size in bytes.
    package static let size = 12

    /// Returns the fault of bytes that are too few for a header.
    package static func fault(of bytes: [UInt8]) -> String { "\(bytes.count) bytes are not a DNS message" }

    package let id: UInt16
    /// QR: true if the message is a reply.
    package let isReply: Bool
    package let opcode: UInt8
    /// AA: true if the server is an authority for the name.
    package let isAuthoritative: Bool
    /// TC: true if records are missing.
    package let isTruncated: Bool
    /// RD: true if the query asked for recursion.
    package let wantsRecursion: Bool
    /// RA: true if the server offers it.
    package let offersRecursion: Bool
    /// AD: true if the server reports that it validated the answer (RFC 4035 section 3.2.3); nothing depends on it.
    package let isAuthenticated: Bool
    /// The lower four bits of the response code; an OPT record may hold the others.
    package let responseCode: DNSAttempt.ResponseCode
    /// The number of entries in the question, answer, authority and additional sections.
    package let counts: [Int]

    /// Reads the header; nil if there are fewer than twelve bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size else { return nil }
        func word(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]) }
        id = word(0)
        isReply = bytes[2] & 0x80 != 0
        opcode = bytes[2] >> 3 & 0x0f
        isAuthoritative = bytes[2] & 0x04 != 0
        isTruncated = bytes[2] & 0x02 != 0
        wantsRecursion = bytes[2] & 0x01 != 0
        offersRecursion = bytes[3] & 0x80 != 0
        isAuthenticated = bytes[3] & 0x20 != 0
        responseCode = DNSAttempt.ResponseCode(rawValue: UInt16(bytes[3] & 0x0f))
        counts = [4, 6, 8, 10].map { Int(word($0)) }
    }
}

/// The content of an OPT pseudo-record (RFC 6891 section 6.1).
package struct DNSOptions: Sendable {
    /// The UDP size that the sender accepts.
    package let size: UInt16
    /// The upper eight bits of the response code.
    package let extendedResponseCode: UInt8
    package let version: UInt8
    /// DO: true if DNSSEC records are wanted (RFC 3225).
    package let isDNSSECOK: Bool
    /// The extended errors (RFC 8914), in order.
    package let extendedErrors: [ExtendedDNSError]

    package init(
        size: UInt16, extendedResponseCode: UInt8, version: UInt8, isDNSSECOK: Bool, extendedErrors: [ExtendedDNSError]
    ) {
        self.size = size
        self.extendedResponseCode = extendedResponseCode
        self.version = version
        self.isDNSSECOK = isDNSSECOK
        self.extendedErrors = extendedErrors
    }
}

/// A resource record within a message (RFC 1035 section 4.1.3).
package struct DNSRecord: Sendable {
    package let owner: DNSName
    package let type: UInt16
    package let recordClass: UInt16
    package let ttl: UInt32
    /// The range of the record's data in the message.
    package let data: Range<Int>

    package init(owner: DNSName, type: UInt16, recordClass: UInt16, ttl: UInt32, data: Range<Int>) {
        self.owner = owner
        self.type = type
        self.recordClass = recordClass
        self.ttl = ttl
        self.data = data
    }
}

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

/// An extended DNS error: a server's own comment on its reply, which changes nothing about the records (RFC 8914).
public struct ExtendedDNSError: Hashable, Sendable, CustomStringConvertible {
    /// The INFO-CODE.
    public let code: UInt16
    /// The EXTRA-TEXT without control characters, at most 200 characters; often empty.
    public let text: String

    /// Creates an error with its text in UTF-8, as received.
    package init(code: UInt16, text: some Collection<UInt8>) {
        self.code = code
        // A few servers end it with a NUL.
        let bytes = text.prefix(800).prefix { $0 != 0 }
        self.text = PrintableText.escape(String(String(decoding: Array(bytes), as: UTF8.self).prefix(200)))
    }

    /// The code's name (IANA registry "Extended DNS Error Codes"); nil if it has none.
    public var name: String? { Int(code) < Self.names.count ? Self.names[Int(code)] : nil }

    /// True if the server kept the answer past its TTL, because it could not get a new one (RFC 8767).
    public var isStale: Bool { code == 3 || code == 19 }

    /// True if the server reports that the answer is not the zone's: forged, blocked, censored or filtered.
    package var isFiltered: Bool { [4, 15, 16, 17].contains(code) }

    /// True if the server's own DNSSEC validation refuses the zone (RFC 8914 sections 4.7 to 4.13; code 25 is of the registry).
    package var isBogus: Bool { (6...12).contains(code) || code == 25 }

    /// The code, its name and its text.
    public var description: String {
        "extended error \(code)" + (name.map { " (\($0))" } ?? "") + (text.isEmpty ? "" : ": \(text)")
    }

    private static let names = [
        "Other Error", "Unsupported DNSKEY Algorithm", "Unsupported DS Digest Type", "Stale Answer", "Forged Answer",
        "DNSSEC Indeterminate", "DNSSEC Bogus", "Signature Expired", "Signature Not Yet Valid", "DNSKEY Missing",
        "RRSIGs Missing", "No Zone Key Bit Set", "NSEC Missing", "Cached Error", "Not Ready", "Blocked", "Censored",
        "Filtered", "Prohibited", "Stale NXDOMAIN Answer", "Not Authoritative", "Not Supported",
        "No Reachable Authority", "Network Error", "Invalid Data", "Signature Expired before Valid", "Too Early",
        "Unsupported NSEC3 Iterations Value", "Unable to conform to policy", "Synthesized",
    ]
}
