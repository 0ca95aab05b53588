import ProbeKit

/// Checks for sizes at which a published list is likely to be truncated or lost (requirement 34).
struct TXTSizeLint {
    /// The maximum size of a character-string (RFC 1035 section 3.3).
    static let stringLimit = 255
    /// About 40 to 50 names, the practical limit according to the seed.
    static let practicalLimit = 450
    /// The maximum size of a UDP message without EDNS0 (RFC 1035 section 4.2.1).
    static let plainUDPLimit = 512
    /// The maximum size of a UDP message without fragmentation, by the DNS flag day of 2020.
    static let ednsLimit = 1232

    /// The bytes of an OPT record without options, which a reply with EDNS0 has besides (RFC 6891 section 6.1.2).
    static let optRecord = 11

    private let records: [TXTRecord]
    private let host: DNSName

    /// - Parameter host: the queried name.
    init(_ records: [TXTRecord], of host: DNSName) {
        self.records = records
        self.host = host
    }

    /// Names as the strings of one record: none is cut, and every string but the last ends with a comma.
    static func strings(of names: [String]) -> [[UInt8]] {
        var strings: [[UInt8]] = [[]]
        for (index, name) in names.enumerated() {
            let item = Array(name.utf8) + (index == names.count - 1 ? [] : [UInt8(ascii: ",")])
            if strings[strings.count - 1].count + item.count > stringLimit { strings.append([]) }
            strings[strings.count - 1] += item
        }
        return strings
    }

    /// The bytes of the texts, strings joined.
    var text: Int { records.map { $0.strings.map(\.count).reduce(0, +) }.max() ?? 0 }

    /// The bytes of a reply without EDNS0: header, question, and records whose names point at the question's.
    var message: Int {
        let name = host.description.utf8.count + 2
        return 12 + name + 4 + records.map { 12 + $0.strings.map { $0.count + 1 }.reduce(0, +) }.reduce(0, +)
    }

    func findings(at path: String) -> [LintFinding] {
        var findings: [LintFinding] = []
        if text > Self.stringLimit {
            findings.append(
                LintFinding(
                    .note, "list-needs-strings", at: path,
                    "the list has \(text) bytes, and a string of a TXT record holds \(Self.stringLimit)",
                    fix: "split it into strings behind commas"))
        }
        if text > Self.practicalLimit {
            findings.append(
                LintFinding(
                    .warning, "list-long", at: path,
                    "the list has \(text) bytes; beyond \(Self.practicalLimit) some resolvers and clients give up",
                    fix: "retire models that nobody runs"))
        }
        if message + Self.optRecord > Self.ednsLimit {
            findings.append(
                LintFinding(
                    .warning, "list-needs-tcp", at: path,
                    "a reply with EDNS0 has \(message + Self.optRecord) bytes; beyond \(Self.ednsLimit) it is only safe over TCP",
                    fix: "shorten the list, or make sure that the servers answer over TCP"))
        } else if message > Self.plainUDPLimit {
            findings.append(
                LintFinding(
                    .warning, "list-needs-edns", at: path,
                    "a reply has \(message) bytes; beyond \(Self.plainUDPLimit) it needs EDNS0 or TCP",
                    fix: "shorten the list, or make sure that clients use EDNS0"))
        }
        return findings
    }
}
