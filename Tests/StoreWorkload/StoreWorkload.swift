import ProbeDNS
public import ProbeKit
public import ProbeRun

/// Model checks with known answers, without a network: the work of a program that is killed over its cache, and the
/// test's expectations afterwards.
public enum StoreWorkload: Sendable {
    /// The status of the model in a name's list.
    public enum Answer: String, CaseIterable, Sendable {
        case listed
        case other
        case broken
    }

    /// Returns the check of one name.
    public static func check(_ answer: Answer, _ number: Int) throws(InputError) -> ModelCheck {
        ModelCheck(
            model: try ModelName("florida"), hosts: [try DNSName("\(answer.rawValue).n\(number).test")],
            servers: [Endpoint(host: .ip(.loopback4), port: 53)])
    }

    /// Returns the key under which a success of that check is remembered.
    public static func key(_ answer: Answer, _ number: Int) throws(InputError) -> CacheKey? {
        CacheKey(try check(answer, number), through: StoreWorkloadResolver().identity)
    }

    /// Asks for every answer of one name, through a prober that remembers.
    public static func run(_ number: Int, with prober: Prober) async throws(InputError) {
        for answer in Answer.allCases {
            _ = await prober.observe(
                try check(answer, number), through: StoreWorkloadResolver(), deadline: .after(.seconds(1800)))
        }
    }
}

/// Answers at once with the result in a name's first label.
struct StoreWorkloadResolver: Resolver {
    var identity: BackendIdentity { BackendIdentity(name: "workload", library: "workload", version: "1") }

    var capabilities: Set<ResolverCapability> { [.rawReply, .chosenServers, .tcpOnTruncation, .ednsSize] }

    func resolve(_ query: DNSQuery) async -> DNSReport {
        let label = query.name.labels.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let items: [UInt8]? =
            switch StoreWorkload.Answer(rawValue: label) {
            case .listed: Array("dc,florida".utf8)
            case .other: Array("dc,tampa".utf8)
            case .broken, nil: nil
            }
        let attempt = DNSAttempt(
            server: "workload", channel: .udp, ednsSize: nil, id: 7, reply: items.map { Self.reply(query.name, $0) },
            native: items.map { .parsed(rcode: .noError, records: [[$0]]) },
            failure: items == nil ? DNSFailure(.timeout, "no answer came") : nil, duration: .zero)
        return DNSReport(attempts: [attempt])
    }

    /// Returns the question with QR set and one record behind it, whose owner points to the question's name.
    private static func reply(_ name: DNSName, _ text: [UInt8]) -> [UInt8] {
        var bytes = DNSQueryMessage.bytes(name: name, id: 7, ednsSize: nil)
        bytes[2] |= 0x80
        bytes[7] = 1
        let length = UInt8(text.count)
        return bytes + [0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, length + 1, length] + text
    }
}
