/// One DNS exchange as reports show it.
struct DNSRecordLine: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        let code: DNSFailure.Code
        let message: String
    }

    let host: String
    let server: String
    let channel: DNSAttempt.Channel
    @Always var ednsSize: UInt16?
    @Always var replyBytes: Int?
    /// The records' strings as `dig` prints them, from our own reading of this reply; null where it has none to give.
    @Always var strings: [String]?
    /// What local DNSSEC validation made of the reply; null where nothing was validated.
    @Always var dnssec: String?
    let dropped: [String]
    @Always var failure: Failure?
    let seconds: Double

    static func lines(_ answer: ModelEvidence.Answer) -> [DNSRecordLine] {
        answer.report.attempts.map { DNSRecordLine($0, host: answer.host) }
    }

    private init(_ attempt: DNSAttempt, host: DNSName) {
        self.host = host.description
        server = attempt.server
        channel = attempt.channel
        ednsSize = attempt.ednsSize
        replyBytes = attempt.reply?.count
        if let reply = attempt.reply, case .records(let records) = TXTReader.read(reply, id: attempt.id, name: host) {
            strings = records.map { MasterFileText.quoted($0.strings) }
        }
        dnssec = attempt.dnssec?.name
        dropped = attempt.dropped
        failure = attempt.failure.map { Failure(code: $0.code, message: $0.message) }
        seconds = attempt.duration.inSeconds
    }
}
