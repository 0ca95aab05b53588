import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing
import TransportOpenSSL

@testable import ProbeClients

/// Failed handshakes of a client whose offer no stack sends whole: only a refusal of the offer leaves the verdict open.
@Suite(.bounded) struct ClientRefusalTests {
    /// A failed handshake.
    struct Failed: Sendable {
        let report: HandshakeReport
        let startTLS: StartTLS?
        /// The code of the finding.
        let code: String

        /// - Parameters:
        ///   - version: of the ServerHello, after which the server asked for a client certificate; nil for none.
        ///   - dialogue: the time until TLS began; nil if it did not, or began at once.
        ///   - code: nil for the failure's own.
        init(
            _ failure: HandshakeFailure, version: TLSVersion? = nil, startTLS: StartTLS? = nil,
            dialogue: Duration? = nil, code: String? = nil
        ) {
            var report = HandshakeReport(failure: failure)
            report.version = version
            report.clientCertificateRequested = version.map { _ in true }
            report.timings.dialogue = dialogue
            self.report = report
            self.startTLS = startTLS
            self.code = code ?? failure.code.rawValue
        }
    }

    /// Judges answers as clients, the first of which is Java 8, whose triple DES is left out.
    private static func results(
        startTLS: StartTLS? = nil, clients names: [String] = ["java-8u111"],
        _ answer: @escaping @Sendable (HandshakeRequest) -> HandshakeReport
    ) async throws -> [ClientResult] {
        var catalogue = try ClientCatalogue.shipped()
        let clients = try catalogue.named(names)
        #expect(clients.first.map { ReducedOffer($0.offer).leftOut.isEmpty } == false)
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [AnsweringTransport(answer)], clock: .system)
        let target = Target(
            name: try ServerName("good.test"), connect: try Endpoint("127.0.0.1:1"), startTLS: startTLS)
        return try await run.results(
            Check(target: target, anchors: .none, timeout: .seconds(60)), clients: clients)
    }

    private static func emulation(_ result: ClientResult) -> String {
        result.result.verdict.findings.first { $0.code == "client-emulated" }?.message ?? ""
    }

    @Test(
        "a refusal that has nothing to do with the offer refuses the client",
        arguments: [
            Failed(HandshakeFailure(.startTLSRefused, "it does not offer to start TLS"), startTLS: .smtp),
            Failed(HandshakeFailure(.startTLSRefused, "554", cause: .clientRefused), startTLS: .smtp),
            Failed(HandshakeFailure(.startTLSProtocolError, "it began with SSH"), startTLS: .imap),
            Failed(.notTLS(Array("HTTP/1.1 400 Bad Request".utf8))),
            Failed(.refused(alert: .unrecognizedName, nil)), Failed(.refused(alert: .certificateRequired, nil)),
            Failed(.refused(alert: .noApplicationProtocol, nil)),
            Failed(.refused(alert: .handshakeFailure, nil), version: .tls12, code: "client-certificate-required"),
            Failed(HandshakeFailure(.protocolError, "it broke the protocol"), version: .tls13),
        ])
    func others(failed: Failed) async throws {
        let result = try #require(try await Self.results(startTLS: failed.startTLS) { _ in failed.report }.first)
        let finding = try #require(result.result.verdict.decidingFinding)
        #expect(result.result.verdict.outcome == .handshakeFailed && !result.isUndecided, "\(finding)")
        #expect(finding.code == failed.code, "\(finding)")
        let fleet = Fleet(members: [Fleet.Member(client: result.client, share: 100)], minimum: 99)
        #expect(FleetReading(fleet, [result]).outcome == .clientsLost)
        #expect(Self.emulation(result).contains("no ClientHello was sent") == (failed.startTLS != nil))
    }

    @Test("an end before TLS began says nothing about the offer") func endBeforeTLS() async throws {
        let result = try #require(
            try await Self.results(startTLS: .smtp) { _ in
                HandshakeReport(failure: .closed(didReceive: true))
            }.first)
        #expect(result.result.verdict.outcome == .handshakeFailed && result.isUndecided)
        #expect(Self.emulation(result).hasSuffix("no ClientHello was sent"), "\(Self.emulation(result))")
    }

    @Test(
        "a refusal of the offer leaves open what the server makes of the rest",
        arguments: [
            Failed(.refused(alert: .handshakeFailure, nil)), Failed(.refused(alert: .internalError, nil)),
            Failed(.closed(didReceive: false)),
            Failed(.reset()), Failed(HandshakeFailure(.protocolError, "it broke the protocol")),
            Failed(.closed(didReceive: true), startTLS: .smtp, dialogue: .milliseconds(1)),
        ])
    func offers(failed: Failed) async throws {
        let result = try #require(try await Self.results(startTLS: failed.startTLS) { _ in failed.report }.first)
        let finding = try #require(result.result.verdict.decidingFinding)
        #expect(result.result.verdict.outcome == .unsupported && finding.code == "client-not-emulated", "\(finding)")
        #expect(Self.emulation(result).contains("its offer, sent by answering and reduced: without TLS_"))
    }

    @Test("another client's success advises another offer only where the offer was refused") func advice() async throws
    {
        for (alert, isAdvised) in [
            (HandshakeFailure.Alert.unrecognizedName, false), (HandshakeFailure.Alert.handshakeFailure, true),
        ] {
            let refused = HandshakeReport(failure: .refused(alert: alert, nil))
            let results = try await Self.results(clients: ["java-8u111", "openssl-3.0"]) { request in
                guard request.versions.upperBound == .tls13 else { return refused }
                var report = HandshakeReport()
                report.version = .tls13
                return report
            }
            let fix = try #require(results.first?.result.verdict.decidingFinding).fix
            #expect(fix.contains("accept one of its cipher suites") == isAdvised, "\(fix)")
        }
    }

    @Test("a server that wants a client certificate after STARTTLS and TLS 1.2 has accepted the offer")
    func clientCertificate() async throws {
        let pki = LabPKI(epoch: .now)
        let recipe = LabTLSRecipe(
            .rsa2048, versions: .tls12 ... .tls12, requiresCertificate: true, takesClients: [.clientPurpose],
            dialogue: LabDialogue(.smtp))
        var catalogue = try ClientCatalogue.shipped()
        let clients = try catalogue.named(["java-8u111"])
        let reference = ReferenceVerifier()
        let run = ClientRun(
            prober: Prober(clock: .system, reference: reference), reference: reference,
            transports: [OpenSSLTransport()], clock: .system)
        try await LabServer.run(.tls(recipe), pki: pki) { server in
            let target = Target(name: try ServerName("good.test"), connect: server.endpoint, startTLS: .smtp)
            let result = try #require(
                try await run.results(
                    Check(target: target, anchors: .none, timeout: .seconds(600)), clients: clients
                ).first)
            let finding = result.result.verdict.findings.first { $0.code == "client-certificate-required" }
            #expect(finding?.outcome == .handshakeFailed, "\(result.result.verdict.findings)")
            #expect(Self.emulation(result).contains("its offer, sent by openssl and reduced"))
        }
    }
}
