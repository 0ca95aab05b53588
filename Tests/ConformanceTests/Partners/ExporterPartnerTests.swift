import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// `probe serve` before real servers that start TLS, and before one that asks for a client certificate; beside
/// blackbox_exporter by the same file where that can be asked the same.
@Suite(.serialized, .bounded) struct ExporterPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    /// The steps by which blackbox_exporter starts TLS, as its own examples have them.
    private static let steps: [StartTLS: String] = [
        .smtp: #"""
        [{expect: "^220 ([^ ]+) ESMTP (.+)$"}, {send: "EHLO prober\r"}, {expect: "^250-STARTTLS"}, {send: "STARTTLS\r"},
        {expect: "^220"}, {starttls: true}]
        """#,
        .imap: #"[{expect: "OK.*STARTTLS"}, {send: ". STARTTLS"}, {expect: "OK"}, {starttls: true}]"#,
        .pop3: #"[{expect: "^[+]OK"}, {send: "STLS"}, {expect: "^[+]OK"}, {starttls: true}]"#,
    ]

    private static func module(_ name: String, _ start: String, _ tls: String) -> String {
        "  \(name): {prober: tcp, timeout: 60s, tcp: {preferred_ip_protocol: ip4, \(start), tls_config: {\(tls)}}}\n"
    }

    /// Runs both exporters; blackbox_exporter reads the modules that both know, and is nil where it is not installed.
    private static func run(
        _ folder: PartnerFolder, both: String, ours: String,
        _ body: @escaping @Sendable (_ ours: ExporterUnderTest, _ theirs: ExporterUnderTest?) async throws -> Void
    ) async throws {
        let shared = try folder.write("modules:\n" + both, to: "blackbox.yml")
        let whole = try folder.write("modules:\n" + both + ours, to: "serve.yml")
        try await ExporterUnderTest.probe(whole).run { exporter async throws in
            guard PartnerProcess.isInstalled("prometheus-blackbox-exporter") else {
                try leaveOut("prometheus-blackbox-exporter is not installed")
                return try await body(exporter, nil)
            }
            try await ExporterUnderTest.blackbox(shared).run { try await body(exporter, $0) }
        }
    }

    /// Checks that every stack came to one result, and returns it with the codes of the findings that decided.
    private static func result(_ samples: [ExporterUnderTest.Sample]) throws -> (passes: Bool, codes: Set<String>) {
        let success = try #require(samples.first { $0.name == "probe_success" }).value == 1
        let stacks = samples.filter { $0.name == "probe_backend_success" }
        #expect(stacks.count >= 2 && stacks.allSatisfy { ($0.value == 1) == success }, "\(stacks)")
        let outcomes = samples.filter { $0.name == "probe_outcome_info" }
        return (success, Set(outcomes.compactMap { $0.labels["code"] }).subtracting([""]))
    }

    @Test(arguments: [StartTLSPartner.postfix, .dovecot]) func startTLS(partner: StartTLSPartner) async throws {
        try partner.requireInstalled()
        let folder = try PartnerFolder()
        let root = try folder.write(Self.pki.rootPEM(), to: "ca.pem")
        let stranger = try folder.write(LabPKI(epoch: .now).rootPEM(), to: "stranger.pem")
        var (both, ours) = ("", "")
        for known in partner.protocols {
            let word = known.rawValue
            ours += Self.module(word, "starttls: \(word)", "ca_file: \(root), server_name: good.test")
            ours += Self.module("\(word)-name", "starttls: \(word)", "ca_file: \(root), server_name: other.test")
            guard let steps = Self.steps[known] else { continue }
            let start = "query_response: \(steps.replacing("\n", with: " "))"
            both += Self.module("\(word)-steps", start, "ca_file: \(root), server_name: good.test")
            both += Self.module("\(word)-stranger", start, "ca_file: \(stranger), server_name: good.test")
        }
        let (shared, further) = (both, ours)
        let identity = try Self.pki.identity(.rsa2048)
        try await partner.run(identity) { endpoints in
            try await Self.run(folder, both: shared, ours: further) { exporter, theirs in
                for (known, endpoint) in endpoints {
                    let (word, target) = (known.rawValue, endpoint.description)
                    let found = try await exporter.samples(word, target)
                    #expect(try Self.result(found).passes, "\(word): \(found)")
                    #expect(found.contains { $0.name == "probe_tls_version_info" }, "\(word)")
                    let leaf = try #require(found.first { $0.name == "probe_ssl_last_chain_info" })
                    #expect(leaf.labels["fingerprint_sha256"] == PinDigest.sha256(of: identity.leaf).hex, "\(word)")
                    let named = try Self.result(try await exporter.samples("\(word)-name", target))
                    #expect(!named.passes && named.codes == ["hostname-mismatch"], "\(word): \(named)")
                    guard Self.steps[known] != nil else { continue }
                    for module in ["\(word)-steps", "\(word)-stranger"] {
                        let found = try await exporter.samples(module, target)
                        #expect(try Self.result(found).passes == module.hasSuffix("steps"), "\(module): \(found)")
                        guard let theirs else { continue }
                        let compared = ExporterUnderTest.compare(try await theirs.samples(module, target), with: found)
                        #expect(compared.differences == [] && compared.count >= 3, "\(module)")
                    }
                }
            }
        }
    }

    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: [TLSVersion.tls12, .tls13])
    func clientCertificate(over version: TLSVersion) async throws {
        let folder = try PartnerFolder()
        let root = try folder.write(Self.pki.rootPEM(), to: "ca.pem")
        var modules = Self.module("none", "tls: true", "ca_file: \(root), server_name: good.test")
        for name in [LabIdentityName.clientPurpose, .expired] {
            let client = try Self.pki.identity(name)
            let chain = try folder.write(client.chainPEM, to: "\(name.rawValue).pem")
            let key = try folder.write(client.keyPEM, to: "\(name.rawValue).key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            modules += Self.module(
                name.rawValue, "tls: true",
                "ca_file: \(root), server_name: good.test, cert_file: \(chain), key_file: \(key)")
        }
        let server = OpenSSLServer(
            presented: .chain(of: try Self.pki.identity(.good)), version: version, clients: .required(depth: 3),
            authorities: try Self.pki.rootPEM(), further: ["-verify_return_error"])
        let text = modules
        try await server.run { endpoint async throws in
            try await Self.run(folder, both: text, ours: "") { exporter, theirs in
                for (module, code) in [
                    (LabIdentityName.clientPurpose.rawValue, nil), ("none", "client-certificate-required"),
                    (LabIdentityName.expired.rawValue, "client-certificate-refused"),
                ] {
                    let found = try await exporter.samples(module, endpoint.description)
                    let result = try Self.result(found)
                    #expect(
                        result.passes == (code == nil) && result.codes == Set([code].compactMap(\.self)), "\(found)")
                    guard let theirs else { continue }
                    let other = try await theirs.samples(module, endpoint.description)
                    if code == nil {
                        let compared = ExporterUnderTest.compare(other, with: found)
                        #expect(compared.differences == [] && compared.count >= 5, "\(module)")
                    } else {
                        // In TLS 1.3 the refusal comes after the handshake, and blackbox_exporter does not wait for it.
                        let success = other.first { $0.name == "probe_success" }
                        #expect(success?.value == (version == .tls13 ? 1 : 0), "\(module)")
                    }
                }
            }
        }
    }
}
