import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Subprocess
import Testing
import TransportGnuTLS

/// Stapled OCSP responses through real handshakes with `openssl s_server`, and against `openssl ocsp`.
@Suite(
    .bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct StapleTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private static func probe(
        _ identity: LabIdentityName, staple: [UInt8]?, over version: TLSVersion, trust: TrustMode = .both
    ) async throws -> [ProbeResult] {
        try await TLSPartner.openssl.run(pki.identity(identity), versions: version...version, staple: staple) {
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: $0), anchors: try pki.anchors(),
                trust: trust)
            let transports = try BackendsUnderTest.transports.map { try $0.get() }.filter {
                $0.capabilities.contains(.ocspStaple)
            }
            return await Prober(clock: .fixed(pki.epoch)).probe(check, through: transports, resolvers: [])
        }
    }

    @Test(arguments: [TLSVersion.tls12, .tls13]) func goodStaplesPass(over version: TLSVersion) async throws {
        for identity in [LabIdentityName.good, .mustStaple] {
            let staple = try Self.pki.encode(LabOCSPResponse(.good), about: Self.pki.identity(identity).leaf)
            let results = try await Self.probe(identity, staple: staple, over: version)
            #expect(!results.isEmpty)
            for result in results {
                #expect(result.verdict.outcome == .pass, "\(result.verdict.findings.map(\.message))")
                #expect(result.evidence.connection?.report.ocspStaple == staple)
            }
        }
    }

    /// The reference rejects a revoked certificate with every transport; a stack that ignores staples disagrees.
    @Test(arguments: [TLSVersion.tls12, .tls13]) func revokedStaplesAreRefused(over version: TLSVersion) async throws {
        let staple = try Self.pki.encode(LabOCSPResponse(.revoked), about: Self.pki.identity(.good).leaf)
        for result in try await Self.probe(.good, staple: staple, over: version) {
            let trust = result.evidence.connection
            #expect(trust?.referenceTrust?.cause == .revoked)
            let judges = trust?.transport.name == "gnutls"
            #expect(trust?.report.nativeTrust?.judgesRevocation == judges)
            #expect(trust?.report.nativeTrust?.cause == (judges ? .revoked : nil))
            #expect(
                result.verdict.outcome == (judges ? .trustFailed : .stacksDisagree),
                "\(result.verdict.findings.map(\.message))")
            #expect(result.verdict.findings.contains { $0.code == "revocation-not-judged" } != judges)
            #expect(result.verdict.decidingFinding?.fix.contains("replace the certificate") == true)
        }
    }

    /// A native pass does not hide the status in the staple.
    @Test func aRevocationThatAStackDoesNotJudgeIsSaid() async throws {
        let staple = try Self.pki.encode(LabOCSPResponse(.revoked), about: Self.pki.identity(.good).leaf)
        for result in try await Self.probe(.good, staple: staple, over: .tls13, trust: .native) {
            let name = result.evidence.connection?.transport.name
            let warning = result.verdict.findings.first { $0.code == "revocation-not-judged" }
            #expect(result.verdict.outcome == (name == "gnutls" ? .trustFailed : .passWithWarnings), "\(name ?? "")")
            #expect((warning?.severity == .warning) == (name != "gnutls"))
            if let warning { #expect(warning.message.contains("was revoked at")) }
        }
        for result in try await Self.probe(.good, staple: nil, over: .tls13, trust: .native) {
            let isSaid = result.verdict.findings.contains { $0.code == "revocation-not-judged" && $0.severity == .note }
            #expect(isSaid == (result.evidence.connection?.transport.name != "gnutls"))
        }
    }

    /// GnuTLS' backend judges a staple as its ordinary client does.
    @Test(.enabled(if: PartnerProcess.isInstalled("gnutls-cli"), "gnutls-cli is not installed"))
    func theBackendJudgesStaplesAsGnuTLSsClient() async throws {
        let pki = LabPKI(epoch: .now)
        let folder = try PartnerFolder()
        let root = try folder.write(pki.rootPEM(), to: "root.pem")
        let transport = GnuTLSTransport()
        let staples: [(String, LabOCSPResponse?)] = [
            ("none", nil), ("good", LabOCSPResponse(.good)), ("revoked", LabOCSPResponse(.revoked)),
            ("unknown", LabOCSPResponse(.unknown)),
            ("old", LabOCSPResponse(.good) { $0.updates = -9 * 86_400 ... -86_400 }),
            ("forged", LabOCSPResponse(.good) { $0.breaksSignature = true }),
            ("forged revocation", LabOCSPResponse(.revoked) { $0.breaksSignature = true }),
            ("another's", LabOCSPResponse(.good) { $0.signer = .authority(.otherIntermediate) }),
        ]
        for identity in [LabIdentityName.good, .mustStaple] {
            for (kind, response) in staples {
                let chain = try pki.identity(identity).chain
                let staple = try response.map { try pki.encode($0, about: chain[0]) }
                let (printed, report) = try await TLSPartner.openssl.run(pki.identity(identity), staple: staple) {
                    endpoint in
                    let client = try await Subprocess.run(
                        .name("gnutls-cli"),
                        arguments: [
                            "--x509cafile", root, "--sni-hostname", "good.test", "--verify-hostname", "good.test",
                            "--port", "\(endpoint.port)", "127.0.0.1",
                        ], input: .none, output: .string(limit: 1 << 16), error: .combinedWithOutput)
                    let request = HandshakeRequest(
                        endpoint: endpoint, serverName: try ServerName("good.test"), anchors: try pki.anchors(),
                        instant: .now, deadline: .after(.seconds(1800)))
                    return (client.standardOutput, await transport.handshake(request))
                }
                let accepts = printed.contains("The certificate is trusted.")
                #expect(accepts != printed.contains("NOT trusted"), "\(kind): \(printed)")
                let native = try #require(report.nativeTrust)
                #expect(native.isAccepted == accepts, "\(identity), \(kind): \(native.problems) \(printed)")
                #expect((native.cause == .revoked) == printed.contains("revoked"), "\(kind): \(printed)")
            }
        }
    }

    @Test(arguments: [LabIdentityName.mustStaple, .mustStapleIssuer])
    func demandedStaplesAreMissed(identity: LabIdentityName) async throws {
        for result in try await Self.probe(identity, staple: nil, over: .tls13) {
            #expect(result.evidence.connection?.referenceTrust?.cause == .constraintViolated)
            #expect([.stacksDisagree, .trustFailed].contains(result.verdict.outcome))
        }
    }

    /// `openssl ocsp` reads our responses as we mean them.
    @Test(arguments: [LabOCSPResponse.Digest.sha1, .sha256])
    func opensslReadsOurResponses(digest: LabOCSPResponse.Digest) async throws {
        let pki = LabPKI(epoch: .now)
        for (status, word) in [(LabOCSPResponse.Status.good, "good"), (.revoked, "revoked"), (.unknown, "unknown")] {
            let response = try pki.encode(
                LabOCSPResponse(status) { $0.digest = digest }, about: pki.identity(.good).leaf)
            let files = try Files(pki)
            let printed = try await Self.openssl(
                ["ocsp", "-respin", files.folder.write(response, to: "response.der"), "-no_nonce"]
                    + (digest == .sha256 ? ["-sha256"] : []) + ["-issuer", files.issuer, "-cert", files.leaf]
                    + ["-CAfile", files.root, "-verify_other", files.issuer])
            #expect(printed.contains("Response verify OK"), "\(printed)")
            #expect(printed.contains("leaf.pem: \(word)"), "\(printed)")
        }
    }

    /// Our reader reads the responses of `openssl ocsp`.
    @Test(arguments: ["V", "R"]) func weReadResponsesOfOpenssl(status: String) async throws {
        let pki = LabPKI(epoch: .now)
        let files = try Files(pki)
        let serial =
            try await Self.openssl(["x509", "-in", files.leaf, "-noout", "-serial"])
            .split(separator: "=").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
        let revoked = status == "R" ? "250101000000Z" : ""
        let index = try files.folder.write(
            "\(status)\t360101000000Z\t\(revoked)\t\(serial)\tunknown\t/CN=good.test\n", to: "index.txt")
        let key = try files.folder.write(pki.key(LabAuthority.intermediate.recipe.key).pem, to: "issuer.key")
        let request = "\(files.folder.path)/request.der"
        let response = "\(files.folder.path)/response.der"
        _ = try await Self.openssl(
            ["ocsp", "-issuer", files.issuer, "-cert", files.leaf, "-no_nonce", "-reqout", request])
        _ = try await Self.openssl(
            ["ocsp", "-index", index, "-CA", files.issuer, "-rsigner", files.issuer, "-rkey", key]
                + ["-reqin", request, "-respout", response, "-ndays", "1"])
        let staple = try Array(Data(contentsOf: URL(fileURLWithPath: response)))
        let reading = await ReferenceVerifier().evaluate(
            TrustQuestion(
                chain: try pki.identity(.good).chain, anchors: try pki.anchors(), name: try ServerName("good.test"),
                instant: .now, staple: .present(staple)))
        #expect(reading.cause == (status == "R" ? .revoked : nil), "\(reading.problems)")
        let demanding = await ReferenceVerifier().evaluate(
            TrustQuestion(
                chain: try pki.identity(.mustStaple).chain, anchors: try pki.anchors(), name: nil, instant: .now,
                staple: .present(staple)))
        #expect(demanding.cause == .constraintViolated)
    }

    /// The certificates of the good identity as files.
    private struct Files {
        let folder: PartnerFolder
        let leaf: String
        let issuer: String
        let root: String

        init(_ pki: LabPKI) throws {
            folder = try PartnerFolder()
            let identity = try pki.identity(.good)
            leaf = try folder.write(identity.chainPEM, to: "leaf.pem")
            issuer = try folder.write(identity.issuersPEM, to: "issuer.pem")
            root = try folder.write(pki.rootPEM(), to: "root.pem")
        }
    }

    private static func openssl(_ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name("openssl"), arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 16),
            error: .combinedWithOutput)
        return result.standardOutput
    }
}
