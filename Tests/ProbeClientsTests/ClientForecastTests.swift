import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing
import TransportOpenSSL

@testable import ProbeClients

/// The days on which a chain that is not valid yet begins to be, and ends.
@Suite(.bounded) struct ClientForecastTests {
    private static let pki = LabPKI(epoch: .now)
    private static let root = LabCertificateRecipe.authority("Forecast Root", issuer: nil)

    /// Returns an authority below the root.
    private static func authority(_ name: String, _ validity: ClosedRange<Int>) -> LabCertificateRecipe {
        .authority(name, issuer: nil) { $0.validity = validity }
    }

    /// Returns the moments of a leaf for days 31 to 334 with its issuer and a spare authority for days 243 to 3000.
    private static func moments(issuing: ClosedRange<Int>) async throws -> [ClientForecast.Moment] {
        let issuer = authority("Forecast Issuing", issuing)
        let leaf = LabCertificateRecipe.leaf("forecast", issuer: nil) {
            $0.validity = LabCertificateRecipe.days(31, 334)
        }
        let spare = authority("Forecast Spare", LabCertificateRecipe.days(243, 3000))
        let chain = [
            try pki.issue(leaf, by: issuer), try pki.issue(issuer, by: root), try pki.issue(spare, by: root),
        ]
        return try await ScratchFolder.with { folder in
            let file = "\(folder)/roots.pem"
            try ScratchFolder.write(LabIdentity.pem([try pki.issue(root, by: root)]), to: file)
            var catalogue = try ClientCatalogue.shipped()
            var client = try #require(try catalogue.named(["openssl-3.0"]).first)
            (client.roots, client.rootsFile) = (nil, file)
            let forecast = ClientForecast([client]) { clock in
                let reference = ReferenceVerifier()
                return ClientRun(
                    prober: Prober(clock: clock, reference: reference), reference: reference,
                    transports: [OpenSSLTransport()], clock: clock)
            }
            return try await forecast.moments(
                Check(target: try Target("good.test"), anchors: .none), chain: chain, from: pki.epoch, changes: [])
        }
    }

    @Test("each presented certificate begins on its own day: the chain may be valid before the last of them does")
    func begins() async throws {
        let moments = try await Self.moments(issuing: LabCertificateRecipe.days(-365, 151))
        #expect(
            moments.map(\.event) == [.asServed, .chainBegins, .pathExpires, .chainBegins, .certificateExpires])
        #expect(
            moments.map(\.cause) == [
                nil, "'CN=good.test' begins to be valid", "'CN=Forecast Issuing' has ended",
                "'CN=Forecast Spare' begins to be valid", "the certificate has ended",
            ])
        #expect(moments.map { $0.results.map(\.connects) } == [[false], [true], [false], [false], [false]])
        #expect(
            moments.dropFirst().first?.date == Self.pki.epoch.addingTimeInterval(31 * 86_400),
            "\(moments.map(\.date))")
    }

    @Test("certificates that begin in the same second are named together") func together() async throws {
        let moments = try await Self.moments(issuing: LabCertificateRecipe.days(31, 3000))
        #expect(
            moments.map(\.cause) == [
                nil, "'CN=good.test', 'CN=Forecast Issuing' begin to be valid",
                "'CN=Forecast Spare' begins to be valid", "the certificate has ended",
            ])
        #expect(moments.map { $0.results.map(\.connects) } == [[false], [true], [true], [false]])
    }
}
