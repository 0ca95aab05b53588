import Foundation
import ProbeDNS
import ProbeKit
import ProbeTestSupport
import ResolverUnbound
import Testing

/// A zone that ldns-signzone has signed and nsd serves, validated by libunbound: no byte of it is ours.
///
/// Without nsd and ldnsutils this is skipped: `apt-get install nsd ldnsutils`.
@Suite(
    .bounded,
    .enabled(
        if: PartnerProcess.isInstalled("nsd") && PartnerProcess.isInstalled("ldns-signzone"),
        "nsd and ldnsutils have to be installed"))
struct SignedZoneTests {
    private static let expectations: [(name: String, outcome: Outcome)] = [
        ("simple", .pass), ("joined", .passWithWarnings), ("two", .passWithWarnings), ("empty", .modelNotListed),
        ("l1300", .pass),
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

    /// A validator in between: forged answers do not get through to resolvers that validate nothing themselves.
    @Test(.needs(.unbound)) func unboundKeepsBackWhatIsForged() async throws {
        try await Self.withSignedZone(changed: "s/DC,FLORIDA/DC,FLORIDA,MIAMI/") { server, anchors in
            try await DNSPartner.unbound.run(inFrontOf: server, anchors: anchors) { validator in
                for subject in ResolverUnderTest.askingServers {
                    for (label, expected) in Self.expectations {
                        let (reading, _) = try await subject.ask("\(label).models.test", at: validator)
                        #expect(reading.outcome == expected, "\(subject), \(label): \(reading)")
                    }
                    let (reading, _) = try await subject.ask("upper.models.test", at: validator)
                    #expect(reading.outcome == .dnsIndeterminate, "\(subject): \(reading)")
                    // Unbound reports why it answers SERVFAIL (RFC 8914).
                    #expect("\(reading)".contains("extended error 6 (DNSSEC Bogus)"), "\(subject): \(reading)")
                }
            }
            try await DNSPartner.unbound.run(inFrontOf: server) { credulous in
                for subject in ResolverUnderTest.askingServers {
                    let (reading, _) = try await subject.ask("upper.models.test", at: credulous)
                    #expect(reading.outcome == .pass, "\(subject): \(reading)")
                }
            }
        }
    }

    /// A validating resolver validates behind a validator too, and detects one that accepts everything.
    @Test(.needs(.unbound), arguments: [true, false])
    func unboundIsNotBelieved(_ validates: Bool) async throws {
        try await Self.withSignedZone(changed: "s/DC,FLORIDA/DC,FLORIDA,MIAMI/") { server, anchors in
            try await DNSPartner.unbound.run(inFrontOf: server, anchors: validates ? anchors : []) { upstream in
                let (good, report) = try await Self.read("simple", upstream, anchors)
                #expect(good.outcome == .pass, "\(good)")
                #expect(report.attempts.last?.dnssec == .secure)
                let (forged, _) = try await Self.read("upper", upstream, anchors)
                #expect(forged.outcome == .dnsIndeterminate, "\(forged)")
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

    /// - Parameter change: a sed script for the signed zone.
    private static func withSignedZone(
        changed change: String = "", _ body: @Sendable (Endpoint, [DNSAnchor]) async throws -> Void
    ) async throws {
        try await ScratchFolder.with { folder in
            // The server's configuration, its last argument, is beside the zone.
            let sign = """
                for last; do :; done; cd "$(dirname "$last")" && key=$(ldns-keygen -a ECDSAP256SHA256 -k models.test) \
                && ldns-signzone -n -f signed zone "$key" && sed '\(change)' signed >zone \
                && cp "$key.ds" '\(folder)/ds' && cd /
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
        try await ResolverUnderTest(resolver: UnboundResolver()).ask(
            "\(label).models.test", at: server, dnssec: .require, anchors: anchors)
    }
}
