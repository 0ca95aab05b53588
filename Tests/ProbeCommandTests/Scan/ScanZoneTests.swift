import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// Addresses with a zone in the lines of a list.
@Suite(.bounded) struct ScanZoneTests {
    @Test("an address with its zone is dialled from every form of a line") func forms() async throws {
        try need(.loopback6)
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki, on: .loopback6) { server in
                let place = "[::1%lo]:\(server.endpoint.port)"
                let list = try bench.list([
                    "\(place),good.test", #"{"target":"good.test","connect":"\#(place)"}"#,
                    #"{"target":"\#(place)","name":"good.test"}"#, #"{"target":"\#(place)"}"#,
                ])
                let outcome = try await bench.scan(["--list", list])
                let results = outcome.lines.filter { !$0.isManifest }
                // The certificate has the name, and not the address.
                #expect(
                    results.compactMap(\.outcome).sorted() == ["pass", "pass", "pass", "trust-failed"],
                    "\(outcome.output)\(outcome.errors)")
                #expect(results.map { $0.place["dialled"] as? String } == Array(repeating: place, count: 4))
            }
        }
    }

    @Test("--connect goes before a target's own address with its zone, and not before a line's place to dial")
    func connect() async throws {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let socket = "unix:\(bench.path("missing"))"
                // Nobody listens on port 1.
                for (option, targets, dialled) in [
                    ("\(server.endpoint)", ["[::1%lo]:1"], "\(server.endpoint)"),
                    ("\(server.endpoint)", [#"{"target":"good.test","connect":"[::1%lo]:1"}"#], "[::1%lo]:1"),
                    ("\(server.endpoint)", ["[::1%lo]:1,good.test"], "[::1%lo]:1"),
                    // The same address, with a zone that the line names.
                    ("\(server.endpoint)", [#"{"target":"[::1]:1","connect":"[::1%lo]:1"}"#], "[::1%lo]:1"),
                    ("\(server.endpoint)", ["[::1%lo]:1,[::1]:1"], "[::1%lo]:1"),
                ] {
                    let outcome = try await bench.scan(["--connect", option] + targets)
                    let result = try #require(outcome.lines.first(where: { !$0.isManifest }), "\(outcome)")
                    #expect(result.place["dialled"] as? String == dialled, "\(outcome)")
                    // The certificate has no address.
                    #expect(result.outcome == (dialled == option ? "trust-failed" : "unreachable"), "\(outcome)")
                }
                let outcome = try await bench.scan(["--connect", socket, "[::1%lo]:1"])
                #expect(outcome.output.contains("could not connect to the socket"), "\(outcome)")
            }
        }
    }
}
