import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Subprocess
import Testing

/// Each partner presents the given chain, as seen by the command lines of OpenSSL and GnuTLS.
@Suite(.bounded) struct TLSPartnerTests {
    let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(.enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"), arguments: LabIdentityName.allCases)
    func opensslPresents(name: LabIdentityName) async throws {
        try await check(.openssl, name)
    }

    @Test(
        .enabled(if: TLSPartner.gnutls.isInstalled, "gnutls-serv is not installed"),
        arguments: LabIdentityName.allCases.filter { !TLSPartner.gnutls.alters.contains($0) })
    func gnutlsPresents(name: LabIdentityName) async throws {
        try await check(.gnutls, name)
    }

    @Test(.enabled(if: TLSPartner.nginx.isInstalled, "nginx is not installed"), arguments: LabIdentityName.allCases)
    func nginxPresents(name: LabIdentityName) async throws {
        try await check(.nginx, name)
    }

    @Test(
        .enabled(if: TLSPartner.haproxy.isInstalled, "haproxy is not installed"),
        arguments: LabIdentityName.allCases.filter { !TLSPartner.haproxy.alters.contains($0) })
    func haproxyPresents(name: LabIdentityName) async throws {
        try await check(.haproxy, name)
    }

    @Test(
        .enabled(if: PartnerProcess.isInstalled("gnutls-cli"), "gnutls-cli is not installed"),
        arguments: TLSPartner.allCases)
    func gnutlsClientSeesTheSame(partner: TLSPartner) async throws {
        try partner.requireInstalled()
        let identity = try pki.identity(.fourDeep)
        let output = try await partner.run(identity) { endpoint in
            try await Self.output(
                "gnutls-cli",
                [
                    "--insecure", "--print-cert", "--sni-hostname", "good.test", "--port", "\(endpoint.port)",
                    "127.0.0.1",
                ])
        }
        #expect(Self.digests(Self.certificates(in: output)) == Self.digests(identity.chain), "\(output.suffix(300))")
    }

    @Test(arguments: TLSPartner.allCases, [TLSVersion.tls12, .tls13])
    func versionsAreKeptAndPortsGivenBack(partner: TLSPartner, version: TLSVersion) async throws {
        try partner.requireInstalled()
        try PartnerProcess.requireInstalled("openssl")
        let (port, output) = try await partner.run(pki.identity(.rsa2048), versions: version...version) { endpoint in
            (endpoint.port, try await Self.look(at: endpoint))
        }
        #expect(output.contains("New, TLSv\(version.number),"), "\(output.suffix(300))")
        #expect(!LoopbackPort.answers(port))
    }

    private func check(_ partner: TLSPartner, _ name: LabIdentityName) async throws {
        let identity = try pki.identity(name)
        let output = try await partner.run(identity) { try await Self.look(at: $0) }
        #expect(Self.digests(Self.certificates(in: output)) == Self.digests(identity.chain), "\(output.suffix(300))")
    }

    private static func look(at endpoint: Endpoint) async throws -> String {
        try await output(
            "openssl",
            ["s_client", "-connect", endpoint.description, "-showcerts", "-cipher", "ALL:@SECLEVEL=0"])
    }

    private static func output(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 20),
            error: .combinedWithOutput)
        return result.standardOutput
    }

    /// Short enough to read in a failure.
    private static func digests(_ certificates: [[UInt8]]) -> [String] {
        certificates.map { String(PinDigest.sha256(of: $0).hex.prefix(8)) }
    }

    private static func certificates(in text: String) -> [[UInt8]] {
        text.components(separatedBy: "-----BEGIN CERTIFICATE-----\n").dropFirst().compactMap { part in
            let body = part.components(separatedBy: "-----END CERTIFICATE-----").first ?? ""
            return Base64.decode(body.filter { $0 != "\n" })
        }
    }
}
