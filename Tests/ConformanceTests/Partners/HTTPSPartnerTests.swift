import ProbeDNS
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import ResolverDoH
import Testing

/// Name servers that support HTTPS themselves, over HTTP/2.
@Suite(.bounded) struct HTTPSPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(.needs(.bind), arguments: [DoHServer.Method.post, .get])
    func bindIsReadAlike(_ method: DoHServer.Method) async throws { try await check(.bind, method) }

    @Test(.needs(.dnsdist), arguments: [DoHServer.Method.post, .get])
    func dnsdistIsReadAlike(_ method: DoHServer.Method) async throws { try await check(.dnsdist, method) }

    private func check(_ partner: DNSPartner, _ method: DoHServer.Method) async throws {
        let resolver = DoHResolver()
        try await partner.runOverHTTPS(as: Self.pki.identity(.good)) { endpoint in
            let server = try DoHServer(
                "https://good.test/dns-query\(method == .get ? "{?dns}" : "")", connect: endpoint,
                anchors: Self.pki.anchors())
            // Over HTTPS no resolver asks again without EDNS.
            let doubts = Set(partner.doubts.keys).union(partner == .dnsdist ? ["old.wild"] : [])
            for (label, outcome) in DNSPartner.expectations where !doubts.contains(label) {
                let reading = try await ask(label, server, resolver)
                #expect(reading.outcome == outcome, "\(label): \(reading)")
            }
            for label in doubts.sorted() {
                let reading = try await ask(label, server, resolver)
                #expect(reading.outcome == .dnsIndeterminate, "\(label): \(reading)")
            }
        }
    }

    private func ask(_ label: String, _ server: DoHServer, _ resolver: DoHResolver) async throws -> ModelReading {
        let name = try DNSName("\(label).models.test")
        let query = DNSQuery(
            name: name, servers: [], httpsServers: [server], tries: 1, deadline: .after(.seconds(1800)))
        return ModelReading(await resolver.resolve(query), name: name, model: try ModelName("florida"))
    }
}
