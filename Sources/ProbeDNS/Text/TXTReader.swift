public import ProbeKit

/// The strict reading of TXT records out of a reply's raw bytes (decided: read-twice).
///
/// It believes only a whole, well-formed reply to the very question that was asked, and only records that belong to the
/// name, or to the name its aliases lead to. Whatever else a reply may be is `TXTReading.indeterminate(_:)`.
public enum TXTReader: Sendable {
    /// The maximum number of CNAME records to follow.
    public static let maximumAliases = 8

    /// Reads a resolver's report; the last attempt counts.
    ///
    /// - Parameters:
    ///   - report: the resolver's report.
    ///   - name: the queried name.
    ///   - dnssec: the validation that a reply needs; one that fails local validation never counts.
    public static func read(_ report: DNSReport, name: DNSName, dnssec: DNSSECPolicy = .off) -> TXTReading {
        guard let attempt = report.attempts.last else {
            return .indeterminate(.unanswered(DNSFailure(.badQuery, "no DNS server was given")))
        }
        if case .bogus(let reason) = attempt.dnssec {
            return .indeterminate(.unusable(ReplyFault(.bogus, "DNSSEC validation refuses the reply: \(reason)")))
        }
        guard let reading = read(attempt, name: name) else {
            let silence = DNSFailure(.backendError, "the resolver reports neither a reply nor a failure")
            return .indeterminate(.unanswered(attempt.failure ?? silence))
        }
        if case .indeterminate = reading { return reading }
        guard dnssec != .require || attempt.dnssec == .secure else {
            let fault = ReplyFault(.insecure, "no chain of signatures leads from a trust anchor to the reply")
            return .indeterminate(.unusable(fault))
        }
        return reading
    }

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - reply: the message's bytes, without TCP's length prefix.
    ///   - id: the query's id.
    ///   - name: the name whose TXT records of class IN were queried.
    public static func read(_ reply: [UInt8], id: UInt16, name: DNSName) -> TXTReading {
        read(DNSReply(reply), id: id, name: name)
    }

    /// Reads one attempt's reply; nil if there is none.
    package static func read(_ attempt: DNSAttempt, name: DNSName) -> TXTReading? {
        attempt.received.map { read($0, id: attempt.id, name: name) }
    }

    private static func read(_ reply: DNSReply, id: UInt16, name: DNSName) -> TXTReading {
        do throws(ReplyFault) {
            return try answer(in: check(reply, id: id, name: name), to: name)
        } catch {
            return .indeterminate(.unusable(error))
        }
    }

    /// Checks that the reply is whole, answers this question, and is an answer at all.
    private static func check(_ reply: DNSReply, id: UInt16, name: DNSName) throws(ReplyFault) -> DNSMessage {
        guard let header = reply.header else { throw .malformed(DNSHeader.fault(of: reply.bytes)) }
        guard header.isReply else { throw ReplyFault(.notAReply, "the message is a query") }
        guard header.id == id else { throw ReplyFault(.wrongID, "the reply has id \(header.id), the query \(id)") }
        try header.checkOperation()
        guard !header.isTruncated else { throw ReplyFault(.truncated, "the reply is truncated") }
        // An error reply may be cut down to its header.
        guard header.responseCode.isAnswer else {
            let message = try? reply.message.get()
            throw fault(ofCode: message?.responseCode ?? header.responseCode, message?.options)
        }
        let message = try reply.message.get()
        guard message.question == .txt(name) else {
            throw ReplyFault(.wrongQuestion, "the reply is not to the question for TXT records of \(name)")
        }
        guard message.responseCode == header.responseCode else {
            throw fault(ofCode: message.responseCode, message.options)
        }
        try message.checkOrigin()
        return message
    }

    private static func answer(in message: DNSMessage, to name: DNSName) throws(ReplyFault) -> TXTReading {
        // Reads all of them, so that one broken record invalidates the reply whoever owns it.
        var texts: [(record: DNSRecord, strings: [[UInt8]])] = []
        for record in message.answers where record.type == DNSType.txt {
            texts.append((record, try message.strings(of: record)))
        }
        let (final, passed) = try followAliases(from: name, in: message)
        if message.responseCode == .nameError { return .absent(.nameError) }
        let own = texts.filter { $0.record.recordClass == DNSClass.internet }
        if let owner = own.first(where: { passed.contains($0.record.owner) })?.record.owner {
            throw ReplyFault(.aliasConflict, "\(owner) has a CNAME and a TXT record")
        }
        let records = own.filter { $0.record.owner == final }
            .map { TXTRecord(owner: final, ttl: $0.record.ttl, strings: $0.strings) }
        guard records.isEmpty else { return .records(records) }
        try proveAbsence(of: final, in: message)
        return .absent(.noData)
    }

    /// Walks the CNAME records by owner, whatever their order.
    private static func followAliases(
        from name: DNSName, in message: DNSMessage
    ) throws(ReplyFault) -> (final: DNSName, passed: Set<DNSName>) {
        var targets: [DNSName: DNSName] = [:]
        for record in message.answers where record.type == DNSType.cname {
            guard record.recordClass == DNSClass.internet else { continue }
            let target = try message.target(of: record)
            if let other = targets.updateValue(target, forKey: record.owner), other != target {
                throw ReplyFault(.aliasConflict, "\(record.owner) has two different CNAME records")
            }
        }
        guard !targets.isEmpty else { return (name, []) }
        var passed: Set<DNSName> = []
        var final = name
        while let target = targets[final] {
            guard passed.insert(final).inserted else { throw ReplyFault(.aliasLoop, "the CNAME records are a loop") }
            guard passed.count <= maximumAliases else {
                throw ReplyFault(.aliasChain, "the CNAME records have more than \(maximumAliases) links")
            }
            final = target
        }
        return (final, passed)
    }

    /// RFC 2308 section 2.2: no data is proven by the zone's SOA record and nothing else in the answer.
    private static func proveAbsence(of name: DNSName, in message: DNSMessage) throws(ReplyFault) {
        let onTheWay: Set<UInt16> = [DNSType.cname, DNSType.dname, DNSType.rrsig]
        guard message.answers.allSatisfy({ onTheWay.contains($0.type) && $0.recordClass == DNSClass.internet }) else {
            throw ReplyFault(.foreignAnswer, "the answer holds records, and no TXT record of class IN of \(name)")
        }
        let isProven = message.authorities.contains {
            $0.type == DNSType.soa && $0.recordClass == DNSClass.internet && name.isWithin($0.owner)
        }
        guard !isProven else { return }
        if message.authorities.contains(where: { $0.type == DNSType.ns }) {
            throw ReplyFault(.referral, "the server refers to other servers")
        }
        throw ReplyFault(.noProof, "the reply holds neither a TXT record of \(name) nor the SOA record of its zone")
    }

    private static func fault(ofCode code: DNSAttempt.ResponseCode, _ options: DNSOptions?) -> ReplyFault {
        // A server may name many; the first ones are enough for a message.
        let why = (options?.extendedErrors.prefix(3) ?? []).map { "; \($0)" }.joined()
        return switch code {
        case .serverFailure: ReplyFault(.serverFailure, "the server answers SERVFAIL" + why)
        case .refused: ReplyFault(.refused, "the server answers REFUSED" + why)
        default: ReplyFault(.responseCode, "the server answers with response code \(code)" + why)
        }
    }
}
