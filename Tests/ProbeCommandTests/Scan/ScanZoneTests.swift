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
}
