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
    package var responseCode: UInt16 {
        UInt16(options?.extendedResponseCode ?? 0) << 4 | UInt16(header.responseCode)
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
