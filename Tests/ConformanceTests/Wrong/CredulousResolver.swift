import Dispatch
import ProbeConformance
import ProbeDNS
import ProbeKit
import ProbeNet
import ProbePlatform
import ResolverCAres
import Subprocess

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
            return .parsed(rcode: .nameError, records: [])
        }
        return .parsed(rcode: .noError, records: records.map(\.strings))
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

/// A deliberately wrong resolver, as one on c-ares' plain TXT parser would be: it loses the borders between records,
/// and reports only the first attempt, as if c-ares had not tried again.
struct BorderlessResolver: Resolver {
    private let resolver = CAresResolver()

    var identity: BackendIdentity { BackendIdentity(name: "borderless", library: "c-ares", version: "0") }
    var capabilities: Set<ResolverCapability> { resolver.capabilities }

    func resolve(_ query: DNSQuery) async -> DNSReport {
        DNSReport(attempts: await resolver.resolve(query).attempts.prefix(1).map(Self.withoutBorders))
    }

    private static func withoutBorders(_ attempt: DNSAttempt) -> DNSAttempt {
        guard case .parsed(let responseCode, let records) = attempt.native else { return attempt }
        return DNSAttempt(
            server: attempt.server, channel: attempt.channel, ednsSize: attempt.ednsSize, id: attempt.id,
            reply: attempt.reply, dropped: attempt.dropped,
            native: .parsed(rcode: responseCode, records: records.joined().map { [$0] }), failure: attempt.failure,
            duration: attempt.duration)
    }
}

/// A deliberately wrong resolver: it takes a server's AD bit, and any reply with a signature, for validation of its own.
struct CredulousValidator: Resolver {
    let identity = BackendIdentity(name: "credulous", library: "none", version: "0")
    let capabilities: Set<ResolverCapability> = [
        .rawReply, .chosenServers, .ednsSize, .tcpOnTruncation, .dnssecValidation,
    ]

    func resolve(_ query: DNSQuery) async -> DNSReport {
        let report = await DNSExchange(codec: SwiftDNSCodec()).resolve(query)
        return DNSReport(attempts: report.attempts.map(Self.vouched))
    }

    private static func vouched(_ attempt: DNSAttempt) -> DNSAttempt {
        guard let reply = attempt.reply, let message = try? DNSMessage(reply) else { return attempt }
        let isSigned = (message.answers + message.authorities).contains { $0.type == DNSType.rrsig }
        let claimsAD = reply[3] & 0x20 != 0
        return DNSAttempt(
            server: attempt.server, channel: attempt.channel, ednsSize: attempt.ednsSize, id: attempt.id, reply: reply,
            native: attempt.native, dnssec: isSigned || claimsAD ? .secure : .insecure, failure: nil,
            duration: attempt.duration)
    }
}

/// A deliberately wrong resolver: the program `curl`, configured to accept every certificate, to follow every redirect,
/// and to print any body, which is then taken for the reply.
struct CredulousDoHResolver: Resolver {
    let identity = BackendIdentity(name: "credulous", library: "curl", version: "0")
    let capabilities: Set<ResolverCapability> = [.rawReply, .httpsServers, .ednsSize, .withoutEDNS, .failureReasons]

    func resolve(_ query: DNSQuery) async -> DNSReport {
        guard let server = query.httpsServers.first else { return DNSReport(attempts: []) }
        let message = DNSQueryMessage.bytes(name: query.name, id: 0, ednsSize: query.ednsSize)
        let reply = await ask(server, message, within: query.deadline.remaining).map(Self.disguise)
        let failure = reply == nil ? DNSFailure(.timeout, "curl prints nothing") : nil
        let attempt = DNSAttempt(
            server: "\(server)", channel: .https, ednsSize: query.ednsSize, id: 0, reply: reply,
            native: reply.map(SwiftDNSCodec().read), failure: failure, duration: .zero)
        return DNSReport(attempts: [attempt])
    }

    private func ask(_ server: DoHServer, _ message: [UInt8], within limit: Duration) async -> [UInt8]? {
        let arguments = [
            "--disable", "--silent", "--insecure", "--location", "--max-time", "\(limit / .seconds(1))",
            "--connect-to", "::\(server.endpoint)", "--header", "content-type: application/dns-message",
            "--data-binary", "@-", "https://\(server.name):\(server.port)\(server.path)",
        ]
        let result = try? await Subprocess.run(
            .name("curl"), arguments: Arguments(arguments), input: .array(message), output: .bytes(limit: 1 << 20),
            error: .discarded)
        return result?.standardOutput.isEmpty == false ? result?.standardOutput : nil
    }

    /// Gives the reply the query's id, and sets its QR bit.
    private static func disguise(_ reply: [UInt8]) -> [UInt8] {
        guard reply.count > 3 else { return reply }
        return [0, 0, reply[2] | 0x80] + reply[3...]
    }
}
