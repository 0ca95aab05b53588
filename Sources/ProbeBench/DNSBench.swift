public import ProbeKit
import ProbePlatform
import ProbeRun

/// `probe bench dns`: an allow-list's processor time against a bare socket that asks the same server the same question.
public struct DNSBench: Sendable {
    let resolvers: [any Resolver]
    let peer: BenchPeer
    let rounds: Int

    private static let count = 20
    private static let timeout = Duration.seconds(10)

    /// - Parameters:
    ///   - resolvers: the resolvers to measure; those that do not ask over UDP are skipped.
    ///   - peer: the servers, of another process.
    ///   - rounds: the number of pairs of measurements for a figure.
    public init(resolvers: [any Resolver], peer: BenchPeer, rounds: Int) {
        self.resolvers = resolvers.filter { $0.capabilities.contains(.chosenServers) }
        self.peer = peer
        self.rounds = rounds
    }

    /// Runs all measurements, and reports each line as soon as it is known.
    ///
    /// - Throws: ``BenchError`` if the list is not found.
    public func run(_ report: (BenchLine) -> Void) async throws {
        let floor = try DatagramFloor(port: peer.dnsPort, name: try DNSName(BenchPeer.modelHost))
        for resolver in resolvers {
            let measured = try await ProcessMeasurement(
                rounds: rounds, count: Self.count, value: { try await look(through: resolver) }, floor: floor.ask)
            report(
                BenchLine(
                    "dns", subject: "model-list", library: resolver.name, value: measured.value,
                    floor: measured.floor, unit: "ns", ratio: measured.ratio))
        }
    }

    private func look(through resolver: any Resolver) async throws {
        let check = ModelCheck(
            model: try ModelName(BenchPeer.model), hosts: [try DNSName(BenchPeer.modelHost)],
            servers: [BenchPeer.endpoint(peer.dnsPort)])
        // The server is ours, and a probe that does not pass ends the bench whatever the cause.
        let results = await Prober().probe(
            check, subject: BenchPeer.modelHost, through: [resolver], timeout: Self.timeout)
        guard results.allSatisfy({ $0.verdict.outcome == .pass }) else {
            throw BenchError("\(resolver.name) came to \(results.map(\.verdict.outcome)) instead of pass")
        }
    }
}

/// The minimal cost of a DNS query: one datagram out and one in, over a socket of its own.
struct DatagramFloor {
    private let port: UInt16
    private let query: [UInt8]

    /// - Throws: the fault in the name.
    init(port: UInt16, name: DNSName) throws {
        self.port = port
        // Recursion desired, one question, one OPT record of 1232 bytes (RFC 6891 section 6.1.2).
        query =
            [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1] + name.wireBytes + [0, 16, 0, 1]
            + [0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0]
    }

    /// Asks once and reads the reply.
    func ask() throws {
        let descriptor = socket(AF_INET, Platform.datagram, 0)
        guard descriptor >= 0 else {
            throw BenchError("no socket can be opened; raise the limit of open files with ulimit -n")
        }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, unsafe send(descriptor, query, query.count, 0) == query.count else {
            throw BenchError("the query can't be sent to loopback; check that UDP over 127.0.0.1 is allowed")
        }
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, 10_000) == 1 else {
            throw BenchError("the server on loopback did not reply within 10 seconds; run the benchmark again")
        }
        var reply = [UInt8](repeating: 0, count: 1500)
        guard unsafe recv(descriptor, &reply, reply.count, 0) > query.count else {
            throw BenchError(
                "the reply of the server on loopback is too short; report this as a fault of the benchmark")
        }
    }
}
