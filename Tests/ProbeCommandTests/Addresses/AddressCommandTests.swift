import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// `--all-addresses` and `--family` in the commands that connect. The server listens on 127.0.0.1 alone, so that
/// `localhost` over IPv6 is unreachable, whether the machine has an address for it or not.
@Suite(.bounded) struct AddressCommandTests {
    private func run(_ arguments: [String]) async throws -> Probe.Outcome {
        try await ScanBench.run { bench in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { server in
                let anchors = arguments[0] == "survey" ? [] : ["--ca", bench.path("ca.pem")]
                return try await Probe.run(
                    arguments + anchors
                        + ["--backend", "openssl", "--connect", "localhost:\(server.endpoint.port)", "good.test"])
            }
        }
    }

    private func dialled(_ line: [String: Any]) -> String {
        let evidence = line["evidence"] as? [String: Any] ?? line
        return (evidence["dialled"] as? String)?.split(separator: ":").first.map(String.init) ?? "none"
    }

    private func codes(_ line: [String: Any]?) -> [String] {
        (line?["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test(arguments: [["check"], ["scan"]]) func eachFamilyHasAVerdict(command: [String]) async throws {
        let run = try await run(command + ["--format", "json", "--family", "both"])
        #expect(run.code == 20, "\(run.output)\(run.errors)")
        let lines = run.lines.filter { $0["outcome"] != nil }
        #expect(lines.map { $0["outcome"] as? String } == ["pass", "unreachable"])
        #expect(lines.first.map(dialled) == "127.0.0.1")
        let missing = !Set(codes(lines.last)).isDisjoint(with: ["connection-refused", "no-address-of-family"])
        #expect(missing, "\(codes(lines.last))")
    }

    @Test(arguments: ["check", "compare", "pins", "scan", "survey"])
    func eachAddressHasAVerdict(command: String) async throws {
        let run = try await run([command, "--format", "json", "--all-addresses", "--family", "4"])
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let lines = run.lines.filter { !($0["complete"] is Bool) && $0["counts"] == nil }
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(command == "survey" ? line["address"] as? String == "127.0.0.1" : dialled(line) == "127.0.0.1")
        }
    }

    @Test func textNamesTheParts() async throws {
        let run = try await run(["check", "--family", "both"])
        #expect(run.output.contains("openssl over IPv4  pass") && run.output.contains("openssl over IPv6  unreachable"))
    }

    /// An address says where to dial, and a socket has none.
    @Test(arguments: ["127.0.0.1:1", "unix:/nowhere"], [["--all-addresses"], ["--family", "4"]])
    func onePlaceIsNotDivided(place: String, option: [String]) async throws {
        let run = try await Probe.run(["check", "--connect", place, "good.test"] + option)
        #expect(run.code == 64 && run.errors.contains("\(option[0]) and --connect"), "\(run.errors)")
    }

    /// A remedy that names the option.
    @Test func aMissingFamilyIsUnreachable() async throws {
        let run = try await Probe.run(["check", "--backend", "openssl", "--family", "6", "127.0.0.1:1"])
        #expect(run.code == 20 && run.output.contains("connect/no-address-of-family"), "\(run.output)")
        #expect(run.output.contains("127.0.0.1 is not an IPv6 address") && run.output.contains("leave --family out"))
    }
}
