import Foundation
import ProbeKit
import ResolverUnbound
import Testing

/// A zone that ldns-signzone has signed and nsd serves, validated by libunbound: no byte of it is ours.
///
/// Without nsd and ldnsutils this is skipped: `apt-get install nsd ldnsutils`.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(
        if: PartnerProcess.isInstalled("nsd") && PartnerProcess.isInstalled("ldns-signzone"),
        "nsd and ldnsutils have to be installed"))
struct SignedZoneTests {
    private static let expectations: [(name: String, outcome: Outcome)] = [
        ("simple", .pass), ("joined", .passWithWarnings), ("two", .pass), ("empty", .modelNotListed), ("l1300", .pass),
        ("l60000", .pass), ("alias", .pass), ("x.wild", .pass), ("nothing", .modelAbsent), ("address", .modelAbsent),
        ("gone", .modelAbsent),
    ]

    @Test func everyNameIsSecure() async throws {
        try await Self.withSignedZone { server, anchors in
            for (label, expected) in Self.expectations {
                let (reading, report) = try await Self.read(label, server, anchors)
                #expect(reading.outcome == expected, "\(label): \(reading)")
                #expect(report.attempts.last?.dnssec == .secure, "\(label)")
            }
        }
    }

    @Test func anotherAnchorMakesItBogus() async throws {
        try await Self.withSignedZone { server, anchors in
            let other = try anchors.map { try DNSAnchor(Self.digestChanged($0.description)) }
            let (reading, _) = try await Self.read("simple", server, other)
            guard case .indeterminate(let doubt) = reading else {
                Issue.record("\(reading)")
                return
            }
            #expect(doubt.code == "dnssec-bogus")
        }
    }

    private static func withSignedZone(_ body: @Sendable (Endpoint, [DNSAnchor]) async throws -> Void) async throws {
        try await ScratchFolder.with { folder in
            // The server's configuration, its last argument, lies beside the zone.
            let sign = """
                for last; do :; done; cd "$(dirname "$last")" && key=$(ldns-keygen -a ECDSAP256SHA256 -k models.test) \
                && ldns-signzone -n -f signed zone "$key" && mv signed zone && cp "$key.ds" '\(folder)/ds' && cd /
                """
            try await DNSPartner.nsd.run(after: sign) { server in
                try await body(server, try DNSAnchor.file("\(folder)/ds"))
            }
        }
    }

    private static func digestChanged(_ record: String) -> String {
        record.dropLast() + (record.hasSuffix("0") ? "1" : "0")
    }

    private static func read(
        _ label: String, _ server: Endpoint, _ anchors: [DNSAnchor]
    ) async throws -> (ModelReading, DNSReport) {
        let name = try DNSName("\(label).models.test")
        let query = DNSQuery(
            name: name, servers: [server], tries: 1, dnssec: .require, anchors: anchors, deadline: .after(.seconds(10)))
        let report = await UnboundResolver().resolve(query)
        return (ModelReading(report, name: name, model: try ModelName("florida"), dnssec: .require), report)
    }
}
