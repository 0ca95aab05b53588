import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Real servers that ask for a client certificate.
@Suite(.bounded) struct ClientCertificateTests {
    private static let pki = LabPKI(epoch: .now)

    private static func probe(
        _ endpoint: Endpoint, serverDate: ServerDateMode = .never, alpn: [String] = []
    ) async throws -> [ProbeResult] {
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try pki.anchors(),
            alpn: alpn, serverDate: serverDate, timeout: .seconds(1800))
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        return await Prober().probe(check, through: transports, resolvers: [])
    }

    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: [TLSVersion.tls12, .tls13], ["-Verify", "-verify"])
    func opensslServer(over version: TLSVersion, option: String) async throws {
        let server = OpenSSLServer(
            presented: .chain(of: try Self.pki.identity(.good)), version: version,
            clients: option == "-Verify" ? .required(depth: 2) : .optional(depth: 2),
            authorities: try Self.pki.rootPEM(), further: ["-verify_return_error"])
        // How late a server refuses is its own affair.
        let results = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await server.run { try await Self.probe($0) }
        }
        #expect(results.count == BackendsUnderTest.transports.count)
        for result in results {
            let name = try #require(result.evidence.connection?.transport.name)
            let report = try #require(result.evidence.connection?.report)
            #expect(report.version == version && report.clientCertificateRequested == true, "\(name)")
            // An empty Certificate message is an answer.
            #expect(report.certificateRequestAnswered == true, "\(name)")
            // The names of -CAfile are those it asks for.
            #expect(report.clientCertificateIssuers.count == 1, "\(name)")
            #expect(result.verdict.findings.contains { $0.message.contains("ProbeKit Lab") || option == "-Verify" })
            if option == "-Verify" {
                #expect(result.verdict.outcome == .handshakeFailed, "\(name): \(result.verdict.findings)")
                #expect(result.verdict.outcome.exitCode == 20)
                #expect(result.verdict.decidingFinding?.code == "client-certificate-required", "\(name)")
                #expect(
                    report.failure?.alert == (version == .tls13 ? .certificateRequired : .handshakeFailure), "\(name)")
                #expect(report.failure?.isAfterHandshake == (version == .tls13), "\(name)")
                // The facts that TLS 1.3 has proved by then are reported.
                if version == .tls13 { #expect(report.nativeTrust?.isAccepted == true, "\(name)") }
            } else {
                #expect(result.verdict.outcome == .passWithWarnings, "\(name): \(result.verdict.findings)")
                #expect(result.verdict.findings.contains { $0.code == "client-certificate-requested" }, "\(name)")
            }
        }
    }

    /// nginx completes the handshake and answers 400: without a request nothing of that is known.
    @Test(
        .enabled(if: TLSPartner.nginx.isInstalled, "nginx is not installed"), arguments: [TLSVersion.tls12, .tls13],
        ["on", "optional"])
    func nginx(over version: TLSVersion, verify: String) async throws {
        let folder = try PartnerFolder()
        let root = try folder.write(Self.pki.rootPEM(), to: "root.pem")
        let options = "ssl_verify_client \(verify); ssl_client_certificate \(root); ssl_verify_depth 3;"
        try await TLSPartner.nginx.run(Self.pki.identity(.good), versions: version...version, nginxOptions: options) {
            for result in try await Self.probe($0) {
                let finding = result.verdict.findings.first { $0.code == "client-certificate-requested" }
                #expect(result.verdict.outcome == .passWithWarnings, "\(result.verdict.findings)")
                #expect(finding?.message.contains("was not asked") == true, "\(result.verdict.findings)")
            }
            for alpn in HTTPExchange.alpn {
                for result in try await Self.probe($0, serverDate: .always, alpn: [alpn]) {
                    let finding = result.verdict.findings.first { $0.code == "client-certificate-requested" }
                    let status = verify == "on" ? 400 : 204
                    #expect(result.verdict.outcome == .passWithWarnings, "\(result.verdict.findings)")
                    #expect(
                        finding?.message.contains("the HTTP status \(status)") == true, "\(result.verdict.findings)")
                    #expect(finding?.message.contains("nginx answers 400") == (verify == "on"))
                }
            }
        }
    }

    /// A server that asks and neither answers nor refuses is waited for about a second, not until the deadline.
    @Test(arguments: BackendsUnderTest.transports)
    func aSilentServerCostsAMoment(_ subject: TransportUnderTest) async throws {
        let transport = try subject.get()
        let recipe = LabTLSRecipe(.good, versions: .tls13 ... .tls13, asksForCertificate: true)
        let pki = Self.pki
        try await LabServer.run(.tls(recipe), pki: pki) { server in
            let request = HandshakeRequest(
                endpoint: server.endpoint, serverName: try ServerName("good.test"), anchors: try pki.anchors(),
                instant: pki.epoch, deadline: .after(.seconds(1800)))
            let report = await transport.handshake(request)
            #expect(report.failure == nil && report.clientCertificateRequested == true)
            #expect(try #require(report.timings.handshake) < .seconds(60))
        }
    }
}
