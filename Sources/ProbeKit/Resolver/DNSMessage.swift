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
