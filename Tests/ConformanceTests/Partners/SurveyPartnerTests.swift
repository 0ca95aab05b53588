import Foundation
import ProbeKit
import ProbeLab
import ProbeSurvey
import ProbeTestSupport
import Subprocess
import Testing

/// A survey of real servers finds what `sslscan` finds, another program with another method.
@Suite(.bounded, .serialized) struct SurveyPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(arguments: SurveyPartner.all) func sslscanFindsTheSame(server: SurveyPartner) async throws {
        try server.partner.requireInstalled()
        try PartnerProcess.requireInstalled("sslscan")
        let (survey, scan) = try await server.run(Self.pki) { endpoint in
            (try await Self.survey(endpoint, maximum: 200), try await SSLScan.run(endpoint))
        }
        #expect(survey.stops.isEmpty, "\(survey.stops)")
        for version in survey.versions {
            let name = version.version.rawValue
            #expect(version.isOffered == scan.versions.contains(version.version), "\(name)")
            // It also offers suites without a certificate, which no stack of ours is asked for.
            let suites = scan.cipherSuites[version.version, default: []].filter { !$0.hasPrefix("0x") }
            #expect(Set(version.cipherSuites.names) == suites, "\(name)")
            // It asks for groups and signatures beside cipher suites of its own choice, and finds none where the server has
            // none of these; we ask beside the server's own, and not where only one stack could.
            for (list, found) in [
                (version.groups, scan.groups), (version.signatureAlgorithms, scan.signatureAlgorithms),
            ] {
                let theirs = found[version.version, default: []]
                guard version.version >= .tls12, list.isComplete, !theirs.isEmpty, !list.names.isEmpty else { continue }
                // In TLS 1.2 it asks for elliptic groups alone, in TLS 1.3 for no brainpool group.
                let ours = Set(list.names).filter {
                    !$0.hasPrefix("brainpool") && !(version.version == .tls12 && $0.hasPrefix("ffdhe"))
                }
                #expect(
                    version.version == .tls12 ? ours.subtracting(server.beyond) == theirs : ours == theirs, "\(name)")
            }
        }
    }

    @Test("a usual server is surveyed in sixty handshakes, by either order, with and without tickets")
    func usualServers() async throws {
        for (name, order, tickets) in [
            ("openssl, defaults", Survey.Order.client, true), ("openssl, its own order", .server, true),
            ("openssl, without tickets", .client, false),
        ] {
            let server = try #require(SurveyPartner.all.first { $0.testDescription == name })
            try server.partner.requireInstalled()
            let survey = try await server.run(Self.pki) { try await Self.survey($0, maximum: 60) }
            #expect(survey.isComplete && survey.handshakes <= 60, "\(name): \(survey.handshakes) \(survey.stops)")
            let version = try #require(survey.versions.first { $0.version == .tls12 })
            #expect(version.order == order, "\(name)")
            #expect(version.sessionTickets == tickets, "\(name)")
        }
    }

    private static func survey(_ endpoint: Endpoint, maximum: Int) async throws -> Survey {
        let transports = try ["openssl", "gnutls", "nio"].map { name in
            try #require(BackendsUnderTest.transports.first { $0.testDescription == name }).get()
        }
        return await Surveyor(transports: transports).survey(
            SurveyRequest(
                target: try Target("good.test", connect: endpoint), maximum: maximum, timeout: .seconds(3600),
                instant: pki.epoch))
    }
}

/// The findings of `sslscan`, by the numbers in its XML.
private struct SSLScan {
    var versions: Set<TLSVersion> = []
    var cipherSuites: [TLSVersion: Set<String>] = [:]
    var groups: [TLSVersion: Set<String>] = [:]
    var signatureAlgorithms: [TLSVersion: Set<String>] = [:]

    static func run(_ endpoint: Endpoint) async throws -> SSLScan {
        let result = try await Subprocess.run(
            .name("sslscan"),
            arguments: [
                "--no-colour", "--no-compression", "--no-heartbleed", "--no-fallback", "--no-renegotiation",
                "--no-check-certificate", "--show-sigs", "--sni-name=good.test", "--xml=-", "\(endpoint)",
            ], input: .none, output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return SSLScan(result.standardOutput)
    }

    private init(_ xml: String) {
        for line in xml.split(separator: "\n") {
            func value(_ name: String) -> String? {
                guard let start = line.firstRange(of: "\(name)=\"")?.upperBound else { return nil }
                return String(line[start...].prefix { $0 != "\"" })
            }
            if line.contains("<protocol type=\"tls\""), value("enabled") == "1" {
                if let version = value("version").flatMap(TLSVersion.init(number:)) { versions.insert(version) }
            }
            guard let number = value(" id").flatMap({ UInt16($0.dropFirst(2), radix: 16) }),
                let version = value("sslversion").flatMap({ TLSVersion(number: String($0.dropFirst(4))) })
            else { continue }
            if line.contains("<cipher ") {
                cipherSuites[version, default: []].insert(ClientOffer.Registry.cipherSuites.name(of: number))
            } else if line.contains("<group ") {
                groups[version, default: []].insert(ClientOffer.Registry.groups.name(of: number))
            } else if line.contains("<connection-signature-algorithm ") {
                signatureAlgorithms[version, default: []].insert(
                    ClientOffer.Registry.signatureSchemes.name(of: number))
            }
        }
    }
}
