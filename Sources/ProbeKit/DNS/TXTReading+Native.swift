extension TXTReading {
    /// How this reading of an attempt's reply differs from the stack's own (rule 2); nil where it does not.
    ///
    /// Like is compared with like: the response code, and the strings of every TXT record in the answer section, whoever
    /// owns it. An indeterminate reading is not compared: being stricter than a stack is what the reader is for, and
    /// nothing is decided by such a reply.
    public func difference(from attempt: DNSAttempt) -> String? {
        if case .indeterminate = self { return nil }
        guard let reply = attempt.reply, let message = try? DNSMessage(reply) else { return nil }
        switch attempt.native {
        case nil: return "the stack gives no reading of its own"
        case .unreadable(let reason): return "the stack can't read a reply that is well-formed: \(reason)"
        case .parsed(let responseCode, let records):
            guard responseCode == message.responseCode else {
                return "the stack reads response code \(responseCode), we read \(message.responseCode)"
            }
            let ours = message.answers.filter { $0.type == DNSType.txt }.compactMap { try? message.strings(of: $0) }
            guard Self.sorted(ours) != Self.sorted(records) else { return nil }
            return "the stack reads \(Self.text(of: records)), we read \(Self.text(of: ours))"
        }
    }

    /// The order of records means nothing (RFC 1034 section 3.6).
    private static func sorted(_ records: [[[UInt8]]]) -> [String] { records.map(MasterFileText.quoted).sorted() }

    private static func text(of records: [[[UInt8]]]) -> String {
        let shown = records.prefix(4).map { "\(MasterFileText.quoted($0).prefix(200))" }.joined(separator: "; ")
        return "\(records.count) TXT record\(records.count == 1 ? "" : "s")" + (records.isEmpty ? "" : " [\(shown)]")
    }
}
