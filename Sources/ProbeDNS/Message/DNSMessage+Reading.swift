package import ProbeKit

/// The bytes are hostile: each count, length and pointer is checked before it is used, and a message that does not end
/// exactly where its last record does is refused.
extension DNSMessage {
    /// Reads a message to its last byte.
    package init(_ bytes: [UInt8]) throws(ReplyFault) {
        guard let header = DNSHeader(bytes) else { throw .malformed("\(bytes.count) bytes are no message") }
        guard header.counts[0] <= 1 else { throw .malformed("the message has \(header.counts[0]) questions") }
        var reader = DNSWireReader(bytes, at: DNSHeader.size)
        let question = header.counts[0] == 1 ? try Self.question(&reader) : nil
        let answers = try Self.records(header.counts[1], &reader)
        let authorities = try Self.records(header.counts[2], &reader)
        let additional = try Self.records(header.counts[3], &reader)
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
            bytes: bytes, header: header, question: question, answers: answers, authorities: authorities,
            additional: additional, options: options)
    }

    /// Reads the header and the question only, enough to match a reply to its query.
    package static func question(of bytes: [UInt8]) throws(ReplyFault) -> Question {
        guard let header = DNSHeader(bytes) else { throw .malformed("\(bytes.count) bytes are no message") }
        guard header.counts[0] == 1 else { throw .malformed("the message has \(header.counts[0]) questions") }
        var reader = DNSWireReader(bytes, at: DNSHeader.size)
        return try question(&reader)
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

    private static func question(_ reader: inout DNSWireReader) throws(ReplyFault) -> Question {
        try Question(name: reader.name(), type: reader.word(), questionClass: reader.word())
    }

    private static func records(_ count: Int, _ reader: inout DNSWireReader) throws(ReplyFault) -> [DNSRecord] {
        var records: [DNSRecord] = []
        for _ in 0..<count {
            let owner = try reader.name()
            let (type, recordClass) = try (reader.word(), reader.word())
            let ttl = try reader.doubleWord()
            let data = try reader.take(Int(reader.word()))
            let record = DNSRecord(owner: owner, type: type, recordClass: recordClass, ttl: ttl, data: data)
            try DNSRecordForm.check(record, in: reader.bytes)
            records.append(record)
        }
        return records
    }
}

extension DNSOptions {
    private static let extendedErrorOption: UInt16 = 15

    init(_ record: DNSRecord, in bytes: [UInt8]) throws(ReplyFault) {
        guard record.owner.labels.isEmpty else { throw .malformed("the OPT record is not owned by the root") }
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
