import ProbeKit
import ResolverCAres

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
