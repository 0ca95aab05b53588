import ProbeKit

/// The form of a record's data: the fields of its type's RFC, which have to fill the data exactly.
///
/// A reply with a record that lacks the form of its type is malformed, whether the record is needed or not, and in
/// whatever section it is. Some stacks reject such a reply completely and some skip the record, so clients differ;
/// rejecting it before a stack's own result is used gives one verdict with all of them. The table knows every type that
/// ldns, libunbound, c-ares or dnspython parses, and is as strict as the strictest of them.
///
/// Service bindings in the reply to a question about them are the exception: a malformed one spoils its set, and the client
/// falls back (RFC 9460 section 2.2).
package enum DNSRecordForm: Sendable {
    package enum Field: Sendable {
        case bytes(Int)
        case name
        /// One character-string.
        case string
        /// One character-string, or none.
        case optionalString
        /// Character-strings to the end, at least one.
        case strings
        /// Names to the end, uncompressed (RFC 8005 section 5).
        case plainNames
        /// Keys in ascending order with the lengths of their values, to the end (RFC 9460 section 2.2).
        case parameters
        /// The windows of a bitmap of types, in ascending order, to the end (RFC 4034 section 4.1.2).
        case typeBitmap
        /// Address prefixes, to the end (RFC 3123 section 4).
        case prefixes
        /// A location's first version, of 16 bytes (RFC 1876 section 2).
        case location
        /// Precedence, gateway type, algorithm and gateway (RFC 4025 section 2.1).
        case keyGateway
        /// Precedence, relay type and relay (RFC 8777 section 4.2).
        case relay
        /// A host identity and its key, with their lengths before both (RFC 8005 section 5).
        case hostIdentity
        /// Whatever is left.
        case rest
    }

    /// Checks that a record's data fills the form of its type exactly; an unknown type has none.
    ///
    /// - Parameter question: the question of the message.
    static func check(
        _ record: DNSRecord, in bytes: [UInt8], answering question: DNSMessage.Question?
    ) throws(ReplyFault) {
        let type = DNSType.name(record.type)
        guard !isNoData(record.type) else {
            throw .malformed("the reply holds a record of \(record.owner) of type \(type), which nobody asked for")
        }
        guard let fields = fields[record.type], !isBindingAskedFor(record, question) else { return }
        var reader = DNSWireReader(bytes, at: record.data.lowerBound, until: record.data.upperBound)
        do throws(ReplyFault) {
            for field in fields { try read(field, &reader) }
        } catch {
            throw .malformed("the \(type) record of \(record.owner) is malformed: \(error.message)")
        }
        guard reader.isAtEnd else {
            let rest = record.data.upperBound - reader.position
            throw .malformed("the \(type) record of \(record.owner) has \(rest) bytes more than its type has")
        }
    }

    /// Returns true for a service binding in the reply to a question about them.
    private static func isBindingAskedFor(_ record: DNSRecord, _ question: DNSMessage.Question?) -> Bool {
        guard let question else { return false }
        return serviceBindings.isSuperset(of: [record.type, question.type])
    }

    private static func read(_ field: Field, _ reader: inout DNSWireReader) throws(ReplyFault) {
        switch field {
        case .bytes(let count): _ = try reader.take(count)
        case .name: _ = try reader.name()
        case .string: _ = try reader.take(Int(reader.byte()))
        case .optionalString: if !reader.isAtEnd { _ = try reader.take(Int(reader.byte())) }
        case .strings: repeat { _ = try reader.take(Int(reader.byte())) } while !reader.isAtEnd
        case .plainNames: while !reader.isAtEnd { try readPlainName(&reader) }
        case .parameters:
            try readAscending(&reader) { reader throws(ReplyFault) in
                let key = Int(try reader.word())
                _ = try reader.take(Int(reader.word()))
                return key
            }
        case .typeBitmap:
            try readAscending(&reader) { reader throws(ReplyFault) in
                let window = Int(try reader.byte())
                let count = Int(try reader.byte())
                guard (1...32).contains(count) else { throw .malformed("a bitmap has \(count) bytes") }
                _ = try reader.take(count)
                return window
            }
        case .prefixes:
            while !reader.isAtEnd {
                _ = try reader.take(3)
                _ = try reader.take(Int(reader.byte() & 0x7f))
            }
        case .location:
            guard try reader.byte() == 0 else { throw .malformed("its version is not 0") }
            _ = try reader.take(15)
        case .keyGateway:
            _ = try reader.byte()
            let kind = try reader.byte()
            _ = try reader.byte()
            try readGateway(kind, &reader)
        case .relay:
            _ = try reader.byte()
            try readGateway(reader.byte() & 0x7f, &reader)
        case .hostIdentity:
            let identity = Int(try reader.byte())
            _ = try reader.byte()
            let key = Int(try reader.word())
            _ = try reader.take(identity + key)
        case .rest: _ = try reader.take(reader.end - reader.position)
        }
    }

    /// Reads items to the end, whose numbers have to ascend.
    private static func readAscending(
        _ reader: inout DNSWireReader, _ item: (inout DNSWireReader) throws(ReplyFault) -> Int
    ) throws(ReplyFault) {
        var last = -1
        while !reader.isAtEnd {
            let number = try item(&reader)
            guard number > last else { throw .malformed("its items are not in ascending order") }
            last = number
        }
    }

    /// Pointers are refused: thousands of them may lead to the same long name.
    private static func readPlainName(_ reader: inout DNSWireReader) throws(ReplyFault) {
        let start = reader.position
        while case let length = try reader.byte(), length > 0 {
            guard length < 64 else { throw .malformed("a name is compressed") }
            _ = try reader.take(Int(length))
        }
        guard reader.position - start <= 255 else { throw .malformed("a name is longer than 255 bytes") }
    }

    private static func readGateway(_ kind: UInt8, _ reader: inout DNSWireReader) throws(ReplyFault) {
        switch kind {
        case 0: break
        case 1: _ = try reader.take(4)
        case 2: _ = try reader.take(16)
        case 3: _ = try reader.name()
        default: throw .malformed("its gateway is of no known type")
        }
    }
}

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
        DNSType.https: [.bytes(2), .name, .parameters],  // RFC 9460
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

    /// SVCB and HTTPS.
    private static let serviceBindings: Set<UInt16> = [64, DNSType.https]

    /// Returns true if no reply to an ordinary query can hold a record of this type: the types of questions and
    /// transactions (RFC 6895 section 3.1), including TSIG and TKEY; NSAP-PTR, whose form libraries disagree on; and
    /// SINK, which never became a standard, and whose data ldns does not skip.
    static func isNoData(_ type: UInt16) -> Bool { (128...255).contains(type) || type == 23 || type == 40 }
}
