import ProbeDNS
import ProbeKit

extension ResolverUnderTest {
    /// Those that can ask a name server of the caller's choice.
    static let askingServers = all.filter {
        let needed: Set<ResolverCapability> = [.rawReply, .chosenServers, .ednsSize, .tcpOnTruncation]
        return needed.isSubset(of: $0.resolver.capabilities)
    }

    /// True if it reports each of its exchanges. libunbound does not.
    var showsExchanges: Bool { resolver.capabilities.contains(.failureReasons) }

    /// Asks once whether `florida` is on the list at a name.
    func ask(
        _ text: String, at server: Endpoint, ednsSize: UInt16? = DNSQuery.defaultEDNSSize,
        dnssec: DNSSECPolicy = .off, anchors: [DNSAnchor] = [], patience: Duration = .seconds(1800)
    ) async throws -> (reading: ModelReading, report: DNSReport) {
        let name = try DNSName(text)
        let query = DNSQuery(
            name: name, servers: [server], ednsSize: ednsSize, tries: 1, dnssec: dnssec, anchors: anchors,
            deadline: .after(patience))
        let report = await resolver.resolve(query)
        return (ModelReading(report, name: name, model: try ModelName("florida"), dnssec: dnssec), report)
    }
}
