import ProbeConformance
import ProbeDNS
import ProbeKit
import ProbeNet

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
