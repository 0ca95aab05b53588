public import ProbeKit

/// The bytes are hostile: each count, length and pointer is checked before it is used, and a message that does not end
/// exactly where its last record does is refused.
extension DNSMessage {
    /// Reads a message to its last byte.
    package init(_ bytes: [UInt8]) throws(ReplyFault) {
        try self.init(bytes, after: Opening(bytes))
    }

    /// Reads the records of a message, to its last byte.
    fileprivate init(_ bytes: [UInt8], after opening: Opening) throws(ReplyFault) {
        WorkCounter.note(.dnsMessage(bytes))
        let header = opening.header
        var reader = DNSWireReader(bytes, at: opening.end)
        let answers = try Self.records(header.counts[1], &reader, answering: opening.question)
        let authorities = try Self.records(header.counts[2], &reader, answering: opening.question)
        let additional = try Self.records(header.counts[3], &reader, answering: opening.question)
        guard reader.isAtEnd else {
            throw ReplyFault(.trailingBytes, "\(bytes.count - reader.position) bytes follow the last record")
        }
        guard !(answers + authorities).contains(where: { $0.type == DNSType.opt }) else {
            throw .malformed("an OPT record stands outside the additional section")
        }
        let optional = additional.filter { $0.type == DNSType.opt }
        // RFC 6891 section 6.1.1.
        guard optional.count <= 1 else { throw .malformed("there are \(optional.count) OPT records") }
        let options: DNSOptions? = if let record = optional.first { try DNSOptions(record, in: bytes) } else { nil }
        self.init(
            bytes: bytes, header: header, question: opening.question, answers: answers, authorities: authorities,
            additional: additional, options: options)
    }

    /// Returns the name a CNAME record leads to.
    package func target(of record: DNSRecord) throws(ReplyFault) -> DNSName {
        var reader = DNSWireReader(bytes, at: record.data.lowerBound)
        return try reader.name()
    }

    /// Returns the character-strings of a TXT record, which have to fill its data exactly (RFC 1035 section 3.3.14).
    package func strings(of record: DNSRecord) throws(ReplyFault) -> [[UInt8]] {
        guard !record.data.isEmpty else { throw .malformed("a TXT record of \(record.owner) has no string") }
        var strings: [[UInt8]] = []
        var position = record.data.lowerBound
        while position < record.data.upperBound {
            let end = position + 1 + Int(bytes[position])
            guard end <= record.data.upperBound else {
                throw .malformed("a string goes beyond its TXT record of \(record.owner)")
            }
            strings.append(Array(bytes[position + 1..<end]))
            position = end
        }
        return strings
    }

    private static func records(
        _ count: Int, _ reader: inout DNSWireReader, answering question: Question?
    ) throws(ReplyFault) -> [DNSRecord] {
        var records: [DNSRecord] = []
        for _ in 0..<count {
            let owner = try reader.name()
            let (type, recordClass) = try (reader.word(), reader.word())
            let ttl = try reader.doubleWord()
            let data = try reader.take(Int(reader.word()))
            let record = DNSRecord(owner: owner, type: type, recordClass: recordClass, ttl: ttl, data: data)
            try DNSRecordForm.check(record, in: reader.bytes, answering: question)
            records.append(record)
        }
        return records
    }
}

extension DNSMessage.Opening {
    /// Reads the header and the question.
    fileprivate init(_ bytes: [UInt8]) throws(ReplyFault) {
        WorkCounter.note(.dnsOpening(bytes))
        guard let header = DNSHeader(bytes) else { throw .malformed(DNSHeader.fault(of: bytes)) }
        guard header.counts[0] <= 1 else { throw .malformed("the message has \(header.counts[0]) questions") }
        var reader = DNSWireReader(bytes, at: DNSHeader.size)
        var question: DNSMessage.Question?
        if header.counts[0] == 1 {
            question = try DNSMessage.Question(
                name: reader.name(), type: reader.word(), questionClass: reader.word())
        }
        self.init(header: header, question: question, end: reader.position)
    }
}

extension DNSReply {
    /// The header and the question, or why they can't be read.
    package var opening: Result<DNSMessage.Opening, ReplyFault> {
        readOpening.value { Result { () throws(ReplyFault) in try DNSMessage.Opening(bytes) } }
    }

    /// The reply as the strict reader reads it, or why it is not a message.
    package var message: Result<DNSMessage, ReplyFault> {
        readMessage.value {
            Result { () throws(ReplyFault) in try DNSMessage(bytes, after: opening.get()) }
        }
    }
}

extension DNSOptions {
    private static let extendedErrorOption: UInt16 = 15

    init(_ record: DNSRecord, in bytes: [UInt8]) throws(ReplyFault) {
        guard record.owner.isRoot else { throw .malformed("the OPT record is not owned by the root") }
        var errors: [ExtendedDNSError] = []
        var reader = DNSWireReader(Array(bytes[record.data]), at: 0)
        while !reader.isAtEnd {
            let code = try reader.word()
            let data = try reader.take(Int(reader.word()))
            guard code == Self.extendedErrorOption else { continue }
            guard data.count >= 2 else { throw .malformed("the extended error has no code") }
            let number = UInt16(reader.bytes[data.lowerBound]) << 8 | UInt16(reader.bytes[data.lowerBound + 1])
            errors.append(ExtendedDNSError(code: number, text: reader.bytes[data.dropFirst(2)]))
        }
        self.init(
            size: record.recordClass, extendedResponseCode: UInt8(record.ttl >> 24),
            version: UInt8(record.ttl >> 16 & 0xff), isDNSSECOK: record.ttl & 0x8000 != 0, extendedErrors: errors)
    }
}

extension DNSAttempt {
    /// The reply as the strict reader reads it, or why it is not a message; nil where there is no reply.
    package var parsed: Result<DNSMessage, ReplyFault>? { received?.message }

    /// The extended errors in the reply, in order; empty if there is no reply or it is malformed.
    public var extendedErrors: [ExtendedDNSError] { (try? parsed?.get())?.options?.extendedErrors ?? [] }
}

/// An alias in the answer section: a CNAME record, or the DNAME record that one was made from (RFC 6672).
package struct DNSAlias: Sendable {
    package let owner: DNSName
    /// `CNAME` or `DNAME`.
    package let type: String
    package let target: DNSName
    package let ttl: UInt32

    /// The maximum number shown; the strict reader follows fewer.
    fileprivate static let shown = 32
}

extension DNSMessage {
    /// Returns the name whose records answer a question about another: the one that the answer's aliases lead to, of which
    /// at most eight are followed.
    package func owner(ofRecordsFor name: DNSName) throws(ReplyFault) -> DNSName {
        var owner = name
        for _ in 0..<8 {
            let aliases = answers.lazy.filter { [owner] record in
                record.type == DNSType.cname && record.owner == owner && record.recordClass == DNSClass.internet
            }
            guard let alias = aliases.first else { break }
            owner = try target(of: alias)
        }
        return owner
    }

    /// True for a reply that only refers to the name servers of a zone (RFC 1034 section 4.3.2): its server does not serve
    /// the name, and does not ask others.
    package var isReferral: Bool {
        responseCode == .noError && !header.isAuthoritative && answers.isEmpty
            && authorities.contains { $0.type == DNSType.ns } && !authorities.contains { $0.type == DNSType.soa }
    }

    /// True for a whole reply of code NOERROR with neither answers nor authorities: the name may be without such records
    /// (RFC 2308 section 2.2, type 3), or the server may not serve it.
    package var isEmpty: Bool {
        responseCode == .noError && !header.isTruncated && answers.isEmpty && authorities.isEmpty
    }

    /// True for a reply as it comes from a server that neither serves the name nor asks others (RFC 1912 section 2.8): a
    /// referral, or an empty reply of a server that is not an authority and offers no recursion.
    package var isLame: Bool {
        isReferral || isEmpty && !header.isAuthoritative && !header.offersRecursion
    }

    /// The aliases of the answer section in the order of the reply, the first 32 of them.
    package var aliases: [DNSAlias] {
        let records = answers.lazy.filter { record in
            [DNSType.cname, DNSType.dname].contains(record.type) && record.recordClass == DNSClass.internet
        }
        return records.prefix(DNSAlias.shown).compactMap { record in
            (try? target(of: record)).map { target in
                DNSAlias(owner: record.owner, type: DNSType.name(record.type), target: target, ttl: record.ttl)
            }
        }
    }
}
