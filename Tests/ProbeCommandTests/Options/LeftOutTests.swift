import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// Of all backends, those that support the options are asked, and the others are named; one that is named itself has to
/// refuse.
@Suite(.bounded) struct LeftOutTests {
    private static let pki = LabPKI(epoch: .now)

    private func run(_ arguments: [String]) async throws -> SweepRun {
        try await SweepRun.run(
            arguments, chain: try Self.pki.identity(.wildcard).chain, lacking: [.alpn],
            lackingDNS: [.dnssecValidation])
    }

    private static let lists = [
        "models.test", "--model", "dc", "--dns-server", "192.0.2.53", "--dnssec", "require", "--dnssec-anchor",
        "test. IN DS 1 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D",
    ]

    @Test(arguments: ["json", "text"]) func resolversWithoutValidation(format: String) async throws {
        for names in [[], ["--resolver", "all"]] {
            let all = try await run(["models", "--format", format] + names + Self.lists)
            #expect(all.code == 0, "\(all.output)\(all.errors)")
            #expect(all.requests.queries.allSatisfy { $0.backend == "first" } && !all.requests.queries.isEmpty)
            #expect(all.output.contains("resolvers-left-out"), "\(all.output)")
            #expect(all.output.contains("second can't do dnssec-validation"), "\(all.output)")
        }
        for names in ["second", "first,second", "all,second"] {
            let named = try await run(["models", "--format", format, "--resolver", names] + Self.lists)
            #expect(named.code == 40, "\(names) \(named.output)\(named.errors)")
            #expect(!named.output.contains("left-out"))
        }
    }

    @Test(arguments: ["check", "compare", "scan"]) func transportsWithoutProtocols(command: String) async throws {
        let formats = command == "check" ? ["json", "text"] : ["json"]
        for format in formats {
            let all = try await run([command, "--format", format, "--alpn", "h2", "a.wild.test"])
            #expect(all.requests.handshakes.allSatisfy { $0.backend == "one" } && !all.requests.handshakes.isEmpty)
            #expect(all.output.contains("two can't do alpn"), "\(all.output)\(all.errors)")
            let named = try await run([command, "--format", format, "--backend", "two", "--alpn", "h2", "a.wild.test"])
            #expect(named.code == 40 && named.requests.handshakes.isEmpty, "\(named.output)\(named.errors)")
        }
        let watch = try await run(["watch", "--rounds", "1", "--alpn", "h2", "a.wild.test"])
        #expect(watch.errors.contains("two can't do alpn"), "\(watch.errors)")
    }

    /// A backend that was named and not asked differs from no other; that it was not asked decides.
    @Test func aComparisonNamesThoseThatCannot() async throws {
        let run = try await run([
            "compare", "--format", "json", "--backend", "one,two", "--trust", "native", "--alpn", "h2", "a.wild.test",
        ])
        #expect(run.code == 40, "\(run.output)\(run.errors)")
        #expect(run.output.contains("\"agree\":false") && run.output.contains("\"two\":\"unsupported\""))
        #expect(!run.output.contains("\"equal\":false"))
        #expect(run.output.contains("\"leftOut\":[\"two can't do alpn"), "\(run.output)")
    }

    /// Connections that were made are compared, whatever the resolvers beside them can do.
    @Test func aComparisonKeepsTheOtherSide() async throws {
        let run = try await run(
            ["compare", "--format", "json", "--backend", "one", "--resolver", "second", "--trust", "native"]
                + ["--model-host", "models.test"] + Self.lists.dropFirst() + ["a.wild.test"])
        #expect(run.code == 40, "\(run.output)\(run.errors)")
        #expect(run.output.contains("\"fact\":\"leaf-spki\""), "\(run.output)")
        #expect(run.output.contains("\"leftOut\":[\"second can't do dnssec-validation"), "\(run.output)")
    }

    @Test func whereNoneCanAllRefuse() async throws {
        let run = try await SweepRun.run(
            ["models", "--format", "json", "models.test", "--dns-server", "192.0.2.53"],
            chain: [], lackingDNS: [.chosenServers])
        #expect(run.output.contains("chosen-servers"), "\(run.output)")
        let explicit = try await self.run(["models", "--resolver", "second"] + Self.lists)
        #expect(explicit.code == 40)
    }
}
