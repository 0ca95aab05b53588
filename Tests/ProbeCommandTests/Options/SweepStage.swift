import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust

/// The files of a sweep, and the way from a scene to a run.
final class SweepStage {
    private let folder: String
    private let chain: [[UInt8]]
    private let pin: String
    private var count = 0
    private static let pki = LabPKI(epoch: .now)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "probe-sweep-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder + "/none", withIntermediateDirectories: true)
        let identity = try Self.pki.identity(.wildcard)
        chain = identity.chain
        pin = PinDigest.sha256(of: try Self.pki.key(LabAuthority.root.recipe.key).spki).base64
        let root = try Self.pki.rootPEM()
        try write(root, "ca.pem")
        try write(try Self.pki.identity(.good).issuersPEM, "other.pem")
        try write(identity.chainPEM, "chain.pem")
        try write(CertificateFile.pem(try Self.pki.identity(.good).leaf), "leaf.pem")
        let servers = #"["192.0.2.53:53", "https://dns.test/q"]"#
        let services = """
            profile: 1
            unlistedHost: system
            anchors: [ca.pem]
            environments:
              prod: {services: {api: "https://a.wild.test"}}
              dev: {services: {api: "https://b.wild.test"}}

            """
        try write(
            services + """
                models:
                  - {model: dc, hosts: [silent.test, models.test], servers: \(servers), dnssec: prefer}
                  - {model: dc, hosts: [models.test], servers: \(servers)}
                digests: {ca.pem: "sha256:\(PinDigest.sha256(of: Array(root.utf8)).hex)"}
                """, "app.yaml")
        let pinned = services + "hosts:"
        func rule(_ host: String, _ more: String) -> String {
            let backup = PinDigest.sha256(of: [1]).base64
            return """

                  - host: \(host).wild.test
                    pins:
                      - {anyOf: ["spki:sha256:\(pin)", {pin: "spki:sha256:\(backup)", backup: true}]\(more)}
                """
        }
        try write(
            pinned + rule("a", ", expires: 2030-01-01") + rule("b", ", expires: 2030-01-01") + """

                models:
                  - {model: dc, hosts: [silent.test], servers: ["192.0.2.53:53"]}
                  - {model: dc, hosts: [models.test], servers: ["192.0.2.53:53"]}
                """, "pinned.yaml")
        try write(pinned + rule("a", "") + rule("b", ""), "unlisted.yaml")
        try write(PinDigest.sha256(of: identity.leaf).hex + "\n", "digests.txt")
        try write("modules: {app: {prober: profile, profile: {file: app.yaml}}}", "serve.yml")
        try write(
            """
            clients:
              lab-client:
                released: 2020-01-01
                library: Lab
                roots: ca.pem
                sources: {released: the lab, roots: the lab}
            """, "clients.yaml")
        try write("fleet: 1\nclientFiles: [clients.yaml]\nclients: {lab-client: 100}\n", "fleet.yaml")
        try write("identity", "client.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/client.pem")
        try write("basic_auth_users: {}", "web.yml")
        try write("signature", "app.p7s")
        try write("cert@leaf:sha256:\(PinDigest.sha256(of: identity.leaf).hex)\n", "pins.txt")
        try write(#"[{"name": "lab", "certificate": "ca.pem"}]"#, "signers.json")
        try Data(Self.pki.encode(LabRevocationList())).write(to: URL(filePath: "\(folder)/empty.crl"))
        try write("c.wild.test\n", "targets.txt")
        let leaf = Data(identity.leaf).base64EncodedString()
        let anchor = Data(try Self.pki.certificate(of: .root)).base64EncodedString()
        try write(
            #"{"id":"1","leaf":"\#(leaf)","intermediates":[],"anchors":["\#(anchor)"],"name":"dns:a.wild.test","purpose":"server"}"#
                + "\n", "questions.jsonl")
        for name in ["ext", "ext2"] {
            let hello =
                #"{"id":0,"type":"hello","protocol":1,"kind":"transport","name":"\#(name)","library":"none","version":"1","capabilities":["presented-chain","key-reading","version-range","trust-evaluation","sni","alpn","http-head","revocation-lists"]}"#
            try write("#!/bin/sh\nread line\necho '\(hello)'\nread line\n", "probe-transport-\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/probe-transport-\(name)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    /// Returns a value as written on a run's command line.
    func text(_ value: String, of run: SweepRun) -> String {
        value.hasSuffix("NEW.db") ? run.arguments.first { $0.hasSuffix(".db") } ?? "" : filled(value)
    }

    func run(_ scene: SweepScene, _ given: [(name: String, value: String?)]) async throws -> SweepRun {
        count += 1
        let format = scene.options.first { $0.name == "--format" }
        let isJSON = format.map(\.isHonoured) == true && !given.contains { $0.name == "--format" }
        // A busy machine is late for no fault of an option.
        let waits = scene.options.contains { $0.name == "--timeout" && $0.isHonoured }
        let isPatient = waits && !given.contains { $0.name == "--timeout" }
        let options = given.flatMap { [$0.name] + ($0.value.map { [filled($0)] } ?? []) }
        return try await SweepRun.run(
            scene.command + options + (isJSON ? ["--format", "json"] : [])
                + (isPatient ? ["--timeout", "600"] : []) + scene.arguments.map(filled),
            chain: chain)
    }

    private func filled(_ text: String) -> String {
        text.replacing("FOLDER", with: folder).replacing("NEW", with: "\(count)").replacing(
            "OTHERPIN", with: "spki@any:sha256:\(PinDigest.sha256(of: [1]).base64)"
        ).replacing("PIN", with: "spki@any:sha256:\(pin)")
    }
}
