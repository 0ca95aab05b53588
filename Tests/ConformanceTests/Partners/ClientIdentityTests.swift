import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Client certificates shown to servers that are not ours, which judge them themselves.
@Suite(.bounded) struct ClientIdentityTests {
    private static let pki = LabPKI(epoch: .now)

    private static func probe(
        _ endpoint: Endpoint, with name: LabIdentityName, alpn: [String] = [], serverDate: ServerDateMode = .never
    ) async throws -> [ProbeResult] {
        try await probe(
            endpoint, with: pki.identity(name).asClient, anchors: pki.anchors(), alpn: alpn, serverDate: serverDate)
    }

    private static func probe(
        _ endpoint: Endpoint, with identity: ClientIdentity, anchors: TrustAnchors, alpn: [String] = [],
        serverDate: ServerDateMode = .never
    ) async throws -> [ProbeResult] {
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: anchors, alpn: alpn,
            serverDate: serverDate, timeout: .seconds(60), clientIdentity: identity)
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        return await Prober().probe(check, through: transports, resolvers: [])
    }

    /// Returns a server that takes clients with a chain to the lab's root, and knows no other CA.
    private static func opensslServer(over version: TLSVersion) throws -> OpenSSLServer {
        OpenSSLServer(
            presented: .chain(of: try pki.identity(.good)), version: version, clients: .required(depth: 3),
            authorities: try pki.rootPEM(), further: ["-verify_return_error"])
    }

    /// A leaf alone is sent alone, even if its issuer is among the anchors, and the server can't find the way to its root.
    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: [TLSVersion.tls12, .tls13])
    func noAnchorIsSent(over version: TLSVersion) async throws {
        let identity = try Self.pki.identity(.clientPurpose).asClient
        let leaf = ClientIdentity(chain: Array(identity.chain.prefix(1)), key: identity.key)
        let anchors = try Self.pki.anchors([.root, .intermediate])
        #expect(anchors.certificates.contains(try #require(identity.chain.last)))
        let results = try await Self.opensslServer(over: version).run {
            try await Self.probe($0, with: leaf, anchors: anchors)
        }
        #expect(results.count == BackendsUnderTest.transports.count)
        for result in results {
            let connection = try #require(result.evidence.connection)
            let place = "\(connection.transport.name): \(result.verdict.findings)"
            #expect(connection.report.clientCertificateSent == true, "\(place)")
            #expect(result.verdict.decidingFinding?.code == "client-certificate-refused", "\(place)")
        }
    }

    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: [TLSVersion.tls12, .tls13], [LabIdentityName.clientPurpose, .expired, .unknownIssuer])
    func opensslServer(over version: TLSVersion, name: LabIdentityName) async throws {
        let results = try await Self.opensslServer(over: version).run { try await Self.probe($0, with: name) }
        #expect(results.count == BackendsUnderTest.transports.count)
        for result in results {
            let connection = try #require(result.evidence.connection)
            let place = "\(connection.transport.name): \(result.verdict.findings)"
            #expect(connection.report.clientCertificateRequested == true, "\(place)")
            #expect(connection.report.clientCertificateSent == true, "\(place)")
            #expect(connection.report.clientCertificateIssuers.count == 1, "\(place)")
            if name == .clientPurpose {
                #expect(result.verdict.outcome == .pass, "\(place)")
            } else {
                #expect(result.verdict.outcome == .handshakeFailed, "\(place)")
                #expect(result.verdict.decidingFinding?.code == "client-certificate-refused", "\(place)")
            }
        }
    }

    /// Without the certificate nginx answers 400; with it the request is served.
    @Test(
        .enabled(if: TLSPartner.nginx.isInstalled, "nginx is not installed"), arguments: [TLSVersion.tls12, .tls13])
    func nginx(over version: TLSVersion) async throws {
        let folder = try PartnerFolder()
        let root = try folder.write(Self.pki.rootPEM(), to: "root.pem")
        let options = "ssl_verify_client on; ssl_client_certificate \(root); ssl_verify_depth 3;"
        try await TLSPartner.nginx.run(Self.pki.identity(.good), versions: version...version, nginxOptions: options) {
            for result in try await Self.probe(
                $0, with: .clientPurpose, alpn: ["http/1.1"], serverDate: .always)
            {
                #expect(result.verdict.outcome == .pass, "\(result.verdict.findings)")
                #expect(result.evidence.connection?.report.http?.response?.status == 204)
            }
        }
    }
}
