import ProbeDNS
import ProbeKit

/// One DNS exchange as reports show it.
struct DNSRecordLine: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        let code: DNSFailure.Code
        let message: String
    }

    struct Alias: Encodable, Sendable {
        let owner: String
        let type: String
        let target: String
        let ttl: UInt32
    }

    struct ExtendedError: Encodable, Sendable {
        let code: UInt16
        @Always var name: String?
        let text: String
    }

    let host: String
    let server: String
    let channel: DNSAttempt.Channel
    @Always var ednsSize: UInt16?
    @Always var replyBytes: Int?
    /// The reply's response code by name, with the bits of its OPT record; null if there is no header.
    @Always var responseCode: String?
    /// The header's flags that are set, as `dig` prints them: of `aa`, `tc`, `rd`, `ra` and `ad`.
    @Always var flags: [String]?
    /// The lowest TTL of the name's TXT records; null if there are none.
    @Always var ttl: UInt32?
    /// The CNAME and DNAME records of the answer.
    let aliases: [Alias]
    let extendedErrors: [ExtendedError]
    /// True if the host's answer was read from this reply.
    let answered: Bool
    /// The records' strings as `dig` prints them, from our own reading of this reply; null if it has none to give.
    @Always var strings: [String]?
    /// The result of local DNSSEC validation of the reply; null if nothing was validated.
    @Always var dnssec: String?
    let dropped: [String]
    @Always var failure: Failure?
    let seconds: Double

    static func lines(_ answer: ModelEvidence.Answer) -> [DNSRecordLine] {
        let attempts = answer.report.attempts
        return attempts.enumerated().map { index, attempt in
            let isLast = index == attempts.count - 1
            return DNSRecordLine(attempt, host: answer.host, answered: isLast && answer.server != nil)
        }
    }

    private init(_ attempt: DNSAttempt, host: DNSName, answered: Bool) {
        self.host = host.description
        server = attempt.server
        channel = attempt.channel
        ednsSize = attempt.ednsSize
        replyBytes = attempt.reply?.count
        let message = try? attempt.parsed?.get()
        aliases = (message?.aliases ?? []).map { alias in
            Alias(
                owner: alias.owner.description, type: alias.type, target: alias.target.description, ttl: alias.ttl)
        }
        extendedErrors = (message?.options?.extendedErrors ?? []).prefix(16).map { error in
            ExtendedError(code: error.code, name: error.name, text: error.text)
        }
        self.answered = answered
        if let header = attempt.reply.flatMap(DNSHeader.init) {
            responseCode = (message?.responseCode ?? header.responseCode).mnemonic
            flags = header.flags
        }
        if case .records(let records) = TXTReader.read(attempt, name: host) {
            strings = records.map { MasterFileText.quoted($0.strings) }
            ttl = records.map(\.ttl).min()
        }
        dnssec = attempt.dnssec?.name
        dropped = attempt.dropped
        failure = attempt.failure.map { Failure(code: $0.code, message: $0.message) }
        seconds = attempt.duration.inSeconds
    }
}

extension DNSRecordLine: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("aliases", aliases)
            $0.field("answered", answered)
            $0.field("channel", channel)
            $0.field("dnssec", dnssec)
            $0.field("dropped", dropped)
            $0.field("ednsSize", ednsSize)
            $0.field("extendedErrors", extendedErrors)
            $0.field("failure", failure)
            $0.field("flags", flags)
            $0.field("host", host)
            $0.field("replyBytes", replyBytes)
            $0.field("responseCode", responseCode)
            $0.field("seconds", seconds)
            $0.field("server", server)
            $0.field("strings", strings)
            $0.field("ttl", ttl)
        }
    }
}

extension DNSRecordLine.Failure: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("code", code)
            $0.field("message", message)
        }
    }
}

extension DNSRecordLine.Alias: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("owner", owner)
            $0.field("target", target)
            $0.field("ttl", ttl)
            $0.field("type", type)
        }
    }
}

extension DNSRecordLine.ExtendedError: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("code", code)
            $0.field("name", name)
            $0.field("text", text)
        }
    }
}

extension DNSHeader {
    /// The names of the set flags that matter for an answer.
    fileprivate var flags: [String] {
        let all = [
            ("aa", isAuthoritative), ("tc", isTruncated), ("rd", wantsRecursion), ("ra", offersRecursion),
            ("ad", isAuthenticated),
        ]
        return all.filter(\.1).map(\.0)
    }
}
