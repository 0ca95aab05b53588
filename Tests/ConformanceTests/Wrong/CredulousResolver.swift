import Dispatch
import ProbeConformance
import ProbeDNS
import ProbeKit
import ProbePlatform

/// A deliberately wrong resolver: it takes the first datagram from any source for the whole reply to its query, and
/// hides the signs of it from the strict reader.
struct CredulousResolver: Resolver {
    let identity = BackendIdentity(name: "credulous", library: "none", version: "0")
    let capabilities: Set<ResolverCapability> = [.rawReply, .chosenServers, .ednsSize, .tcpOnTruncation]

    func resolve(_ query: DNSQuery) async -> DNSReport {
        guard let server = query.servers.first else { return DNSReport(attempts: []) }
        let id = UInt16.random(in: 0...UInt16.max)
        let bytes = DNSQueryMessage.bytes(name: query.name, id: id, ednsSize: query.ednsSize)
        let milliseconds = Int32(query.deadline.remaining / .milliseconds(1))
        let first = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Self.firstDatagram(to: server.port, bytes, within: milliseconds))
            }
        }
        let reply = first.map { Self.disguise($0, id) }
        let attempt = DNSAttempt(
            server: "\(server)", channel: .udp, ednsSize: query.ednsSize, id: id, reply: reply,
            native: reply.map(Self.read), failure: reply == nil ? DNSFailure(.timeout, "silence") : nil, duration: .zero
        )
        return DNSReport(attempts: [attempt])
    }

    /// Gives the reply our id, sets its QR bit, and clears TC.
    private static func disguise(_ reply: [UInt8], _ id: UInt16) -> [UInt8] {
        guard reply.count > 3 else { return reply }
        return [UInt8(id >> 8), UInt8(id & 0xff), reply[2] & ~0x02 | 0x80] + reply[3...]
    }

    /// Agrees with whatever the strict reader makes of it.
    private static func read(_ reply: [UInt8]) -> NativeDNSReading {
        let id = UInt16(reply[0]) << 8 | UInt16(reply[1])
        guard case .records(let records) = TXTReader.read(reply, id: id, name: DNSScenario.name) else {
            return .parsed(rcode: 3, records: [])
        }
        return .parsed(rcode: 0, records: records.map(\.strings))
    }

    private static func firstDatagram(to port: UInt16, _ query: [UInt8], within milliseconds: Int32) -> [UInt8]? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let sent = unsafe LoopbackPort.withAddress(port) { address, size in
            unsafe Int32(truncatingIfNeeded: sendto(descriptor, query, query.count, 0, address, size))
        }
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard sent == query.count, unsafe poll(&event, 1, milliseconds) == 1 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_535)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer.prefix(count))
    }
}
