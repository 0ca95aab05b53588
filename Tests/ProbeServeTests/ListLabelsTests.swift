import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// The labels of several lists of models in one profile.
@Suite(.bounded) struct ListLabelsTests {
    private static func list(_ host: String, _ model: String?, _ servers: String...) throws -> ModelCheck {
        ModelCheck(
            model: try model.map(ModelName.init), hosts: [try DNSName(host)],
            servers: try servers.map { try Endpoint($0) })
    }

    @Test("lists are named by host and model, by their servers where those are the same, else by their place")
    func names() throws {
        let first = try Self.list("a.test", "dc", "192.0.2.1:53")
        #expect([first].listNames == [nil])
        let lists = [
            first, try Self.list("a.test", "florida", "192.0.2.1:53"), try Self.list("b.test", nil, "192.0.2.1:53"),
        ]
        #expect(lists.listNames == ["a.test dc", "a.test florida", "b.test"])
        let other = try Self.list("a.test", "dc", "192.0.2.2:53", "192.0.2.3:53")
        #expect(
            [first, other, other, lists[1]].listNames == [
                "a.test dc 192.0.2.1:53", "a.test dc 192.0.2.2:53 192.0.2.3:53",
                "a.test dc 192.0.2.2:53 192.0.2.3:53 (2)", "a.test florida",
            ])
    }

    @Test("two lists that differ in their servers alone have outcomes of their own") func outcomes() async throws {
        let name = try DNSName("models.test")
        let listed = LabDNSZone([name: .answer(.txt("dc,florida"))])
        let absent = LabDNSZone([name: .reply(LabDNSMessage(responseCode: .nameError))])
        try await LabDNSServer.run(listed) { first in
            let good = "\(first.endpoint)"
            try await LabDNSServer.run(absent) { second in
                let bad = "\(second.endpoint)"
                let lists = [good, bad].map { "  - {model: dc, hosts: [models.test], servers: [\"\($0)\"]}\n" }
                try await ServerUnderTest.run(
                    "modules: {app: {prober: profile, profile: {file: app.yaml}}}",
                    files: ["app.yaml": "profile: 1\nmodels:\n" + lists.joined()]
                ) { server in
                    let answer = try await server.ask(
                        "/probe?module=app", headers: ["X-Prometheus-Scrape-Timeout-Seconds": "60.5"])
                    for (place, passes) in [(good, 1.0), (bad, 0)] {
                        let labels = "service=\"models.test dc \(place)\",resolver=\"ldns\""
                        #expect(answer["probe_backend_success{\(labels)}"] == passes, "\(answer.text)")
                    }
                }
            }
        }
    }
}
