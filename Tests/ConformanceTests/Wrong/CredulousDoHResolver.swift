import ProbeConformance
import ProbeDNS
import ProbeKit
import ProbeNet
import Subprocess

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
