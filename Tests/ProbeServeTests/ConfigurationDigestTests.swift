import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// The digests by which a kept verdict is known to be of the same configuration, on the same server.
@Suite(.bounded) struct ConfigurationDigestTests {
    /// A configuration with its files, as read where the machine has a DNS server and the client certificate is of these bytes.
    private func configuration(
        _ text: String, files: [String: String] = [:], certificate: UInt8 = 1,
        server: String = "192.0.2.1"
    ) throws -> ServeConfiguration {
        let endpoint = try Endpoint("\(server):53")
        return try ScratchFolder.withURL { folder in
            for (name, text) in files.merging(["serve.yml": text], uniquingKeysWith: { $1 }) {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            return try ServeConfiguration.read(
                folder.appending(path: "serve.yml").path, policies: [:],
                readIdentity: { paths throws(InputError) in
                    _ = try paths.key.map { key throws(InputError) in
                        try InputFile.bytes(of: key, limit: 64, kind: "key")
                    }
                    let bytes: [UInt8] = [1]
                    return ClientIdentity(chain: [[certificate]], key: .pkcs8(Secret(copying: bytes.span)))
                }, systemServers: { [endpoint] })
        }
    }

    @Test("roots in the configuration itself count, and its page shows their digest") func rootsInline() throws {
        let roots = try (0..<2).map { _ in try LabPKI(epoch: .now).rootPEM() }
        func read(_ root: String) throws -> ServeConfiguration {
            try configuration(
                "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {ca: \(JSONText.line(root))}}}}")
        }
        let (first, second) = (try read(roots[0]), try read(roots[1]))
        #expect(try read(roots[0]).digest == first.digest && first.digest != second.digest)
        #expect(first.text.contains("ca: \"sha256:") && first.text != second.text, "\(first.text)")
        #expect(try !configuration("modules: {m: {prober: http}}").text.contains("ca: "))
    }

    @Test("a client's certificates count, and the files of its key do not") func identities() throws {
        let text = "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {cert_file: c.pem, key_file: k.pem}}}}"
        func digest(_ certificate: UInt8, _ key: String) throws -> String {
            try configuration(text, files: ["k.pem": key], certificate: certificate).digest
        }
        #expect(try digest(1, "one") == digest(1, "another"))
        #expect(try digest(1, "one") != digest(2, "one"))
    }

    @Test("the machine's DNS servers count where a profile's models are looked up there") func nameServers() throws {
        let text = "modules: {app: {prober: profile, profile: {file: app.yaml}}}"
        func digest(_ servers: String, _ server: String) throws -> String {
            let models = "profile: 1\nmodels: [{model: a, hosts: [models.test]\(servers)}]\n"
            return try configuration(text, files: ["app.yaml": models], server: server).digest
        }
        #expect(try digest("", "192.0.2.1") != digest("", "192.0.2.2"))
        let own = ", servers: [\"192.0.2.3:53\"]"
        #expect(try digest(own, "192.0.2.1") == digest(own, "192.0.2.2"))
    }

    @Test("the roots of a fleet's clients count, though they are read when a client is asked") func clientRoots() throws
    {
        let files = [
            "clients.yaml": """
            clients:
              terminal: {released: 2020-01-01, library: Terminal, roots: ca.pem, sources: {released: us, library: us, roots: us}}
            """, "fleet.yaml": "fleet: 1\nclientFiles: [clients.yaml]\nclients: {terminal: 100}\n",
        ]
        func digest(_ root: String) throws -> String {
            try configuration(
                "modules: {m: {prober: http, fleet: fleet.yaml}}",
                files: files.merging(["ca.pem": root], uniquingKeysWith: { $1 })
            ).digest
        }
        #expect(try digest("one") != digest("another"))
    }

    @Test("a second reading has the same digest, whatever a process reads once, and the watch is not a part of it")
    func again() throws {
        let pins = "[{anyOf: [\"spki:sha256:\(String(repeating: "ab", count: 32))\"]}]"
        let profile = """
            profile: 1
            services: {api: {url: "https://a.b.test"}}
            hosts: [{host: b.test, match: trustkit, includeSubdomains: true, pins: \(pins)}]
            """
        let modules = "modules: {app: {prober: profile, profile: {file: app.yaml}}}\n"
        func digest(_ text: String) throws -> String { try configuration(text, files: ["app.yaml": profile]).digest }
        let first = try digest(modules)
        #expect(try digest(modules) == first)
        #expect(try digest(modules + "watch: {every: 1m, targets: [{module: app}]}\n") == first)
        #expect(try digest(modules.replacing("prober", with: "timeout: 5s, prober")) != first)
    }

    @Test("the program's version, its stacks and the rules about targets count") func setups() throws {
        func setup(_ version: String = "1", _ stacks: String = "lab", _ rules: TargetRules = TargetRules()) -> String {
            ServeSettings(
                addresses: [], timeoutOffset: .zero, rules: rules, concurrency: 1, history: 1, version: version
            ).setup(with: stacks)
        }
        let blocks = try ["127.0.0.0/8", "10.0.0.0/8"].map { try AddressBlock($0) }
        let names = ["a.test", "b.test"]
        let both = try TargetRules(blocks: blocks, names: names)
        let all = [
            setup(), setup("2"), setup("1", "other"), setup("1", "lab", try TargetRules(blocks: blocks)),
            setup("1", "lab", try TargetRules(names: names)), setup("1", "lab", both),
        ]
        #expect(Set(all).count == all.count)
        let turned = try TargetRules(blocks: blocks.reversed(), names: names.reversed())
        #expect(setup("1", "lab", turned) == setup("1", "lab", both))
    }
}
