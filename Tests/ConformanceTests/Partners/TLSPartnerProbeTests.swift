import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import Subprocess
import Testing

/// The main job on servers that are not ours: every transport against `openssl s_server`, `gnutls-serv`, nginx
/// and HAProxy.
@Suite(.bounded) struct TLSPartnerProbeTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    /// The kinds of key a public server has, and Ed25519.
    static let keys: [LabIdentityName] = [.good, .rsa2048, .p384, .ed25519]

    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"), arguments: [TLSVersion.tls12, .tls13])
    func opensslIsJudged(over version: TLSVersion) async throws { try await judge(.openssl, over: version) }

    @Test(
        .enabled(if: TLSPartner.gnutls.isInstalled, "gnutls-serv is not installed"),
        arguments: [TLSVersion.tls12, .tls13])
    func gnutlsIsJudged(over version: TLSVersion) async throws { try await judge(.gnutls, over: version) }

    @Test(.enabled(if: TLSPartner.nginx.isInstalled, "nginx is not installed"), arguments: [TLSVersion.tls12, .tls13])
    func nginxIsJudged(over version: TLSVersion) async throws { try await judge(.nginx, over: version) }

    @Test(
        .enabled(if: TLSPartner.haproxy.isInstalled, "haproxy is not installed"), arguments: [TLSVersion.tls12, .tls13])
    func haproxyIsJudged(over version: TLSVersion) async throws { try await judge(.haproxy, over: version) }

    @Test(
        "[R7, R63] pins of openssl s_server are what the published pipeline prints",
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"), arguments: keys)
    func pinsOfOpensslAreThePipelines(_ name: LabIdentityName) async throws { try await comparePins(.openssl, name) }

    @Test(
        "[R7, R63] pins of gnutls-serv are what the published pipeline prints",
        .enabled(
            if: TLSPartner.gnutls.isInstalled && TLSPartner.openssl.isInstalled,
            "gnutls-serv or openssl is not installed"), arguments: keys)
    func pinsOfGnuTLSAreThePipelines(_ name: LabIdentityName) async throws { try await comparePins(.gnutls, name) }

    @Test(
        "[R7, R63] pins of nginx are what the published pipeline prints",
        .enabled(
            if: TLSPartner.nginx.isInstalled && TLSPartner.openssl.isInstalled, "nginx or openssl is not installed"),
        arguments: keys)
    func pinsOfNginxAreThePipelines(_ name: LabIdentityName) async throws { try await comparePins(.nginx, name) }

    @Test(
        "[R7, R63] pins of HAProxy are what the published pipeline prints",
        .enabled(
            if: TLSPartner.haproxy.isInstalled && TLSPartner.openssl.isInstalled,
            "haproxy or openssl is not installed"),
        arguments: keys)
    func pinsOfHAProxyAreThePipelines(_ name: LabIdentityName) async throws { try await comparePins(.haproxy, name) }

    /// A right pin passes, a wrong one and an expired certificate do not, with every transport.
    private func judge(_ partner: TLSPartner, over version: TLSVersion) async throws {
        let right = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki)
        let wrong = PinDigest.sha256(of: try Self.pki.key(.backup).spki)
        let (passed, mismatched) = try await partner.run(Self.pki.identity(.good), versions: version...version) {
            (try await Self.probe($0, pin: right), try await Self.probe($0, pin: wrong))
        }
        let expired = try await partner.run(Self.pki.identity(.expired), versions: version...version) {
            try await Self.probe($0, pin: PinDigest.sha256(of: try Self.pki.identity(.expired).key.spki))
        }
        let count = BackendsUnderTest.transports.count
        for (results, outcome, code) in [
            (passed, Outcome.pass, nil), (mismatched, .pinMismatch, "pin-mismatch"),
            (expired, .trustFailed, "expired"),
        ] as [([ProbeResult], Outcome, String?)] {
            #expect(results.map(\.verdict.outcome) == Array(repeating: outcome, count: count))
            #expect(results.allSatisfy { $0.verdict.decidingFinding?.code == code })
            #expect(results.allSatisfy { $0.evidence.connection?.report.version == version })
        }
        let chain = try Self.pki.identity(.good).chain
        #expect(passed.allSatisfy { $0.evidence.connection?.report.chain == chain })
    }

    /// Requirements 2, 7 and 63: the documented commands print our pins, byte for byte.
    private func comparePins(_ partner: TLSPartner, _ name: LabIdentityName) async throws {
        let (results, printed) = try await partner.run(Self.pki.identity(name)) {
            (try await Self.probe($0, pin: nil), try await Self.pipelines($0))
        }
        #expect(results.count == BackendsUnderTest.transports.count)
        for result in results {
            let leaf = try #require(result.evidence.connection?.certificates.first)
            let digests = try leaf.digests.get()
            let ours = [
                digests.spki.base64, digests.spki.hex, "sha256 Fingerprint=\(digests.cert.colonHex)",
            ]
            #expect(ours == printed)
            #expect(leaf.stackSPKI == digests.spki)
        }
    }

    private static func probe(_ endpoint: Endpoint, pin: PinDigest?) async throws -> [ProbeResult] {
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try pki.anchors(),
            pins: pin.map { [PinGroup([Pin(kind: .spki, digest: $0)], position: .leaf)] } ?? [])
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        return await Prober(clock: .fixed(pki.epoch)).probe(check, through: transports, resolvers: [])
    }

    /// Returns the lines that the published pipelines print for a server: base64 and hex of the SPKI, and the
    /// fingerprint.
    private static func pipelines(_ endpoint: Endpoint) async throws -> [String] {
        let leaf = "openssl s_client -connect \(endpoint) -servername good.test </dev/null 2>/dev/null | openssl x509"
        let key = "\(leaf) -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256"
        let script = """
            \(key) -binary | openssl base64
            \(key) -hex | awk '{print $NF}'
            \(leaf) -noout -fingerprint -sha256
            """
        let result = try await Subprocess.run(
            .name("sh"), arguments: ["-c", script], input: .none, output: .string(limit: 4096), error: .discarded)
        return result.standardOutput.split(separator: "\n").map(String.init)
    }
}
