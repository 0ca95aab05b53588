public import ProbeKit

/// A reply of the lab: correct by default, and wrong in any part on request.
public struct LabDNSMessage: Sendable {
    /// The content of the question section.
    public enum Question: Sendable {
        /// The query's, byte for byte.
        case echoed
        /// The query's, with the case of its letters changed.
        case caseChanged
        /// None.
        case missing
        /// Another name's.
        case other(DNSName)
        /// These bytes.
        case raw([UInt8])
    }

    /// The OPT record sent.
    public enum Options: Sendable {
        /// A plain one if the query had one.
        case mirrored
        /// None.
        case none
        /// These, whatever the query had.
        case records([LabDNSRecord])
    }

    /// The condition for leaving out records and setting TC.
    public enum Truncation: Sendable {
        /// Over UDP, if the reply is larger than the query allows; all records are left out.
        case whenTooBig
        /// Never, however big the reply is.
        case never
        /// Over UDP, always; this many answers stay.
        case overUDP(keeping: Int)
        /// Over UDP and TCP; all answers stay.
        case always
    }

    /// The answer section.
    public var answers: [LabDNSRecord]
    /// The authority section.
    public var authorities: [LabDNSRecord]
    /// The response code; codes above 15 need an OPT record with their upper bits.
    public var responseCode: DNSAttempt.ResponseCode
    /// AA.
    public var isAuthoritative = true
    /// AD: as a validating server sets it.
    public var isAuthenticated = false
    /// QR.
    public var isReply = true
    /// The operation, 0 being a standard query.
    public var opcode: UInt8 = 0
    /// The offset added to the query's id.
    public var idOffset: UInt16 = 0
    /// The question section.
    public var question = Question.echoed
    /// The OPT record.
    public var options = Options.mirrored
    /// The condition for truncation.
    public var truncation = Truncation.whenTooBig
    /// The count of answers in the header; nil is the true one.
    public var claimedAnswers: UInt16?
    /// Bytes after the last record.
    public var tail: [UInt8] = []
    /// The number of bytes of the message to send; nil sends all of them.
    public var cut: Int?
    /// Bytes to change after all else: the exclusive or for each place behind the question, counted round the end.
    public var flips: [Int: UInt8] = [:]

    /// Creates a reply of sections and a response code.
    public init(
        answers: [LabDNSRecord] = [], authorities: [LabDNSRecord] = [], responseCode: DNSAttempt.ResponseCode = .noError
    ) {
        self.answers = answers
        self.authorities = authorities
        self.responseCode = responseCode
    }

    /// Returns the same reply with a change.
    public func with(_ change: (inout LabDNSMessage) -> Void) -> LabDNSMessage {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns the reply to a query, in wire form.
    public func wireBytes(to query: LabDNSQuery) -> [UInt8] {
        let whole = wireBytes(to: query, answers: answers, authorities: authorities, isTruncated: false)
        switch truncation {
        case .never: return whole
        case .whenTooBig:
            guard query.channel == .udp, whole.count > max(512, query.ednsSize ?? 512) else { return whole }
            return wireBytes(to: query, answers: [], authorities: [], isTruncated: true)
        case .overUDP(let count):
            guard query.channel == .udp else { return whole }
            return wireBytes(to: query, answers: Array(answers.prefix(count)), authorities: [], isTruncated: true)
        case .always: return wireBytes(to: query, answers: answers, authorities: authorities, isTruncated: true)
        }
    }

    private func wireBytes(
        to query: LabDNSQuery, answers: [LabDNSRecord], authorities: [LabDNSRecord], isTruncated: Bool
    ) -> [UInt8] {
        let questionBytes = bytes(ofQuestionTo: query)
        let optionRecords = optionRecords(for: query)
        var bytes = word(query.id &+ idOffset)
        bytes.append(
            (isReply ? 0x80 : 0) | opcode << 3 | (isAuthoritative ? 0x04 : 0) | (isTruncated ? 0x02 : 0) | 0x01)
        bytes.append((isAuthenticated ? 0x20 : 0) | UInt8(responseCode.rawValue & 0x0f))
        bytes += word(questionBytes.isEmpty ? 0 : 1) + word(claimedAnswers ?? UInt16(answers.count))
        bytes += word(UInt16(authorities.count)) + word(UInt16(optionRecords.count))
        bytes += questionBytes
        bytes += (answers + authorities + optionRecords).flatMap { $0.wireBytes(asked: query.name) }
        bytes += tail
        let start = 12 + questionBytes.count
        for (place, mask) in flips where bytes.count > start { bytes[start + place % (bytes.count - start)] ^= mask }
        return cut.map { Array(bytes.prefix($0)) } ?? bytes
    }

    private func bytes(ofQuestionTo query: LabDNSQuery) -> [UInt8] {
        switch question {
        case .echoed: query.questionBytes
        case .caseChanged: query.questionBytes.map { isLetter($0) ? $0 ^ 0x20 : $0 }
        case .missing: []
        case .other(let name): name.wireBytes + query.questionBytes.suffix(4)
        case .raw(let bytes): bytes
        }
    }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

    private func optionRecords(for query: LabDNSQuery) -> [LabDNSRecord] {
        switch options {
        case .mirrored: query.ednsSize == nil ? [] : [.opt()]
        case .none: []
        case .records(let records): records
        }
    }
}
