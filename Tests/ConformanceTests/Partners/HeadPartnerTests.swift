import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// The HEAD request on web servers that are not ours: nginx, which sends a `Date`, and HAProxy, which does not.
@Suite("[R13, R45] web servers are asked for their time", .bounded)
struct HeadPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(.enabled(if: TLSPartner.nginx.isInstalled, "nginx is not installed"), arguments: HTTPExchange.alpn)
    func nginxTellsItsTime(over version: String) async throws {
        for result in try await ask(.nginx, over: version) {
            let http = try #require(result.evidence.connection?.report.http)
            let response = try #require(http.response, "\(http.outcome)")
            #expect(response.version == version)
            #expect(response.status == 204)
            #expect(response.date.count == 1 && response.age.isEmpty && response.retryAfter.isEmpty)
            #expect(try #require(http.duration) > .zero)
            guard case .known(_, let skew) = result.evidence.connection?.serverTime else {
                Issue.record("no time of the server")
                continue
            }
            #expect(abs(skew) <= 2)
            #expect(result.verdict.outcome == .pass)
            #expect(result.verdict.findings.contains { $0.code == "server-date" })
        }
    }

    @Test(.enabled(if: TLSPartner.haproxy.isInstalled, "haproxy is not installed"), arguments: HTTPExchange.alpn)
    func haproxyTellsNone(over version: String) async throws {
        for result in try await ask(.haproxy, over: version) {
            let response = try #require(result.evidence.connection?.report.http?.response)
            #expect(response.version == version)
            #expect(response.status == 204)
            #expect(response.date.isEmpty)
            #expect(result.evidence.connection?.serverTime == .unknown("the HTTP response has no Date"))
            #expect(result.verdict.outcome == .passWithWarnings)
        }
    }

    /// Returns every transport's result, all of one server.
    private func ask(_ partner: TLSPartner, over version: String) async throws -> [ProbeResult] {
        try await partner.run(Self.pki.identity(.good)) { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint),
                anchors: try Self.pki.anchors(), alpn: [version], serverDate: .always)
            let transports = try BackendsUnderTest.transports.map { try $0.get() }
            let results = await Prober().probe(check, through: transports, resolvers: [])
            #expect(results.count == transports.count)
            return results
        }
    }
}
