public import ProbeKit

extension TXTReading {
    /// Returns the difference between this reading of an attempt's reply and the stack's own; nil if there is none.
    ///
    /// Compares only what both report: the response code, and the strings of every TXT record of class IN in the answer
    /// section, whoever owns it. A stack may report other classes too: c-ares does for CH, without distinguishing them.
    /// An indeterminate reading is not compared: the reader is meant to be stricter than a stack, and such a reply
    /// decides nothing.
    public func difference(from attempt: DNSAttempt) -> String? {
        if case .indeterminate = self { return nil }
        guard let message = try? attempt.parsed?.get() else { return nil }
        switch attempt.native {
        case nil: return "the stack gives no reading of its own"
        // Not a difference: there is nothing to compare with, and `ModelReading` counts nothing of such a reply.
        case .notAsked: return nil
        case .unreadable(let reason): return "the stack does not read a reply in which we see no fault: \(reason)"
        case .parsed(let responseCode, let records):
            guard responseCode == message.responseCode else {
                return
                    "the stack reads response code \(responseCode.rawValue), we read \(message.responseCode.rawValue)"
            }
            let texts = message.answers.filter { $0.type == DNSType.txt }
            let ours = texts.filter { $0.recordClass == DNSClass.internet }.compactMap { try? message.strings(of: $0) }
            let (own, all) = (Self.counted(ours), Self.counted(texts.compactMap { try? message.strings(of: $0) }))
            let native = Self.counted(records)
            let isAlike =
                own.allSatisfy { $1 <= native[$0, default: 0] } && native.allSatisfy { $1 <= all[$0, default: 0] }
            return isAlike ? nil : "the stack reads \(Self.text(of: records)), we read \(Self.text(of: ours))"
        }
    }

    /// Returns how often each record occurs; their order has no meaning (RFC 1034 section 3.6).
    private static func counted(_ records: [[[UInt8]]]) -> [[[UInt8]]: Int] {
        records.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func text(of records: [[[UInt8]]]) -> String {
        let shown = records.prefix(4).map { "\(MasterFileText.quoted($0).prefix(200))" }.joined(separator: "; ")
        return records.count.counted("TXT record") + (records.isEmpty ? "" : " [\(shown)]")
    }
}
