import Foundation
import ProbeKit
import ResolverLDNS
import Testing

/// The resolvers against real name servers.
///
/// Without nsd and knotd these are skipped: `apt-get install nsd knot`.
@Suite(.timeLimit(.minutes(10))) struct DNSPartnerTests {
    /// What each name has to come out as, with every server.
    private static let expectations: [(name: String, outcome: Outcome)] = [
        ("simple", .pass), ("chunks", .pass), ("joined", .passWithWarnings), ("escape", .pass), ("upper", .pass),
        ("two", .pass), ("empty", .modelNotListed), ("l600", .pass), ("l1300", .pass), ("l60000", .pass),
        ("alias", .pass), ("c3", .pass), ("x.wild", .pass), ("nothing", .modelAbsent), ("address", .modelAbsent),
        ("gone", .modelAbsent), ("loop1", .dnsIndeterminate), ("x.sub", .dnsIndeterminate),
    ]

    @Test(
        .enabled(if: DNSPartner.installed.count == DNSPartner.allCases.count, "nsd and knotd have to be installed"),
        arguments: DNSPartner.installed, resolvers)
    func everyNameComesOutAsItShould(_ partner: DNSPartner, _ subject: ResolverUnderTest) async throws {
        try await partner.run { server in
            for (label, expected) in Self.expectations {
                let (reading, report) = try await Self.read("\(label).models.test", server, subject.resolver)
                #expect(reading.outcome == expected, "\(label): \(reading)")
                if partner == .knotWithoutUDP { #expect(report.attempts.map(\.channel) == [.udp, .tcp]) }
            }
            // Knot stops after five links and says NOERROR: that must not be taken for a list without the model.
            let (long, _) = try await Self.read("c0.models.test", server, subject.resolver)
            #expect(long.outcome == (partner == .nsd ? .pass : .dnsIndeterminate))
            let (reading, _) = try await Self.read("elsewhere.example", server, subject.resolver)
            guard case .indeterminate(let doubt) = reading else {
                Issue.record("a name out of the zone is no answer: \(reading)")
                return
            }
            #expect(doubt.code == "query-refused")
        }
    }

    @Test(
        .enabled(if: PartnerProcess.isInstalled("nsd"), "nsd has to be installed"),
        arguments: [
            ("simple", 24, [DNSAttempt.Channel.udp]), ("l600", 600, [.udp]), ("l1300", 1300, [.udp, .tcp]),
            ("l60000", 60_000, [.udp, .tcp]),
        ])
    func listsAreReadWhole(_ label: String, _ size: Int, _ channels: [DNSAttempt.Channel]) async throws {
        try await DNSPartner.nsd.run { server in
            let (reading, report) = try await Self.read("\(label).models.test", server)
            guard case .listed(let list) = reading else {
                Issue.record("\(reading)")
                return
            }
            #expect(report.attempts.map(\.channel) == channels)
            let bytes = list.records.flatMap(\.strings).map(\.count).reduce(0, +)
            #expect(abs(bytes - size) < 12)
        }
    }

    @Test(.enabled(if: PartnerProcess.isInstalled("nsd"), "nsd has to be installed"))
    func childrenEndWithTheirParent() async throws {
        try await ScratchFolder.with { folder in
            let server = try await DNSPartner.nsd.run(after: "sleep 300 & echo $! >\(folder)/pid") { $0 }
            #expect(!LoopbackPort.answers(server.port))
            let text = try String(contentsOfFile: "\(folder)/pid", encoding: .utf8)
            let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            // Gone, or waiting to be reaped by whoever inherited it.
            let line = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
            #expect(line == nil || line == "")
        }
    }

    /// Those that ask the server itself and tell how: libunbound follows aliases on its own.
    private static let resolvers = ResolverUnderTest.all.filter {
        $0.resolver.capabilities.isSuperset(of: [.chosenServers, .failureReasons])
    }

    private static func read(
        _ name: String, _ server: Endpoint, _ resolver: any Resolver = LDNSResolver()
    ) async throws -> (ModelReading, DNSReport) {
        let name = try DNSName(name)
        let query = DNSQuery(name: name, servers: [server], tries: 1, deadline: .after(.seconds(10)))
        let report = await resolver.resolve(query)
        return (ModelReading(report, name: name, model: try ModelName("florida")), report)
    }
}
