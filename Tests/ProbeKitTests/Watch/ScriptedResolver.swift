import ProbeDNS
import ProbeKit
import ProbeLab
import Synchronization

/// A resolver that sends nothing: each query is answered by the next step of a script, and the last step repeats.
final class ScriptedResolver: Resolver {
    let identity = BackendIdentity(name: "scripted-dns", library: "none", version: "0")
    let capabilities: Set<ResolverCapability> = [.rawReply, .chosenServers, .ednsSize, .tcpOnTruncation]
    private let steps: [LabDNSMessage?]
    private let asked = Mutex<[DNSQuery]>([])

    /// - Parameter steps: replies; nil is a server that does not answer.
    init(_ steps: [LabDNSMessage?]) {
        self.steps = steps
    }

    var queries: Int { asked.withLock(\.count) }
    /// The deadlines of the queries, in order.
    var deadlines: [Deadline] { asked.withLock { $0.map(\.deadline) } }

    func resolve(_ query: DNSQuery) async -> DNSReport {
        let number = asked.withLock { asked in
            asked.append(query)
            return asked.count
        }
        guard let message = steps[min(number, steps.count) - 1], let reply = try? LabReply.bytes(message) else {
            return report(nil, failure: DNSFailure(.timeout, "as the script says"))
        }
        return report(reply, failure: nil)
    }

    private func report(_ reply: [UInt8]?, failure: DNSFailure?) -> DNSReport {
        DNSReport(attempts: [
            DNSAttempt(
                server: "scripted", channel: .tcp, ednsSize: 1232, id: LabReply.id, reply: reply,
                native: reply.map(Self.native), failure: failure, duration: .zero)
        ])
    }

    /// Returns the second reading, which agrees with ours.
    private static func native(_ reply: [UInt8]) -> NativeDNSReading {
        guard let name = try? LabReply.name() else { return .unreadable("no name") }
        switch TXTReader.read(reply, id: LabReply.id, name: name) {
        case .records(let records): return .parsed(rcode: .noError, records: records.map(\.strings))
        case .absent(let absence): return .parsed(rcode: absence == .nameError ? .nameError : .noError, records: [])
        case .indeterminate(let doubt): return .unreadable("\(doubt)")
        }
    }
}
