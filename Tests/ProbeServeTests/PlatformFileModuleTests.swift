import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeServe

/// A module of a platform's own file, which has rules for hosts and lists no services.
@Suite(.bounded) struct PlatformFileModuleTests {
    private static let modules = "modules: {app: {prober: profile, profile: {file: nsc.xml}}}\n"

    /// A configuration for one host, in which an element is passed over.
    private static let file = """
        <network-security-config><domain-config><domain>pinned.test</domain>
        <pin-set><pin digest="SHA-256">\(Data((1...32).map { UInt8($0) }).base64EncodedString())</pin><Pin/></pin-set>
        </domain-config></network-security-config>
        """

    /// Returns the result of a closure, which gets the path of a configuration beside the platform's file.
    private func with<Value>(_ configuration: String, _ body: (String) throws -> Value) throws -> Value {
        try ScratchFolder.withURL { folder in try body(try write(configuration, in: folder)) }
    }

    /// Returns the path of a configuration that it writes, beside the platform's file.
    private func write(_ configuration: String, in folder: URL) throws -> String {
        for (name, text) in [("nsc.xml", Self.file), ("serve.yml", configuration)] {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        return folder.appending(path: "serve.yml").path
    }

    @Test("a probe without a target is refused: nothing would be checked") func withoutTarget() async throws {
        try await ServerUnderTest.run(Self.modules, files: ["nsc.xml": Self.file]) { server in
            for path in ["/probe?module=app", "/probe?module=app&target="] {
                let answer = try await server.ask(path)
                #expect(
                    answer.status == 400 && answer.text.contains("nsc.xml lists nothing to check"), "\(answer.text)")
            }
        }
    }

    @Test("a watched one without a target is refused with the configuration", arguments: ["", ", target: ''"])
    func watchedWithoutTarget(target: String) throws {
        let error = try #require(throws: InputError.self) {
            try with(Self.modules + "watch: {targets: [{module: app\(target)}]}\n") {
                try ServeConfiguration.read($0, policies: [:])
            }
        }
        #expect(error.message.contains("has no target, and the module 'app' has none of its own"), "\(error)")
    }

    @Test("a watched one with a target is taken") func watched() throws {
        let plan = try with(Self.modules + "watch: {targets: [{module: app, target: pinned.test}]}\n") {
            try ServeConfiguration.read($0, policies: [:]).watch
        }
        #expect(plan.items.map(\.target) == ["pinned.test"])
    }

    @Test(
        "a probe of a host that rules cover reads no file, which could hang: those of the configuration were read with it"
    )
    func filesOfHostRules() throws {
        try ScratchFolder.withURL { folder in
            let profile = """
                profile: 1
                anchors: [ca.pem]
                hosts: [{host: pinned.test, pins: [{anyOf: ["spki:sha256:\(String(repeating: "ab", count: 32))"]}]}]
                """

            let root = try LabPKI(epoch: .now).rootPEM()
            let modules = "modules: {app: {prober: profile, profile: {file: app.yaml}}}\n"
            for (name, text) in [("app.yaml", profile), ("ca.pem", root), ("serve.yml", modules)] {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            let configuration = try ServeConfiguration.read(folder.appending(path: "serve.yml").path, policies: [:])
            try FileManager.default.removeItem(at: folder.appending(path: "ca.pem"))
            guard case .profile(let module)? = configuration["app"]?.prober else {
                Issue.record("the module is not of a profile")
                return
            }
            let checks = try module.checks(of: "pinned.test").services
            #expect(checks.map(\.anchors.certificates.count) == [1] && checks.first?.pins.count == 1)
        }
    }

    @Test("a watched host that may not be probed is refused with the configuration") func watchedInVain() throws {
        let rules = try TargetRules(names: ["other.test"])
        let error = try #require(throws: InputError.self) {
            try with(Self.modules + "watch: {targets: [{module: app, target: pinned.test}]}\n") {
                try ServeConfiguration.read($0, policies: [:], rules: rules)
            }
        }
        #expect(error.message.contains("leads to 'pinned.test'"), "\(error)")
    }

    @Test("the host name of a watched target is read with the configuration, and an empty one is none")
    func hostnames() throws {
        func names(_ hostname: String) throws -> [String?] {
            try with(
                "modules: {web: {prober: http}}\nwatch: {targets: [{module: web, target: a.test, hostname: '\(hostname)'}]}\n"
            ) {
                try ServeConfiguration.read($0, policies: [:]).watch.items.map(\.hostname)
            }
        }
        #expect(try names("") == [nil])
        #expect(try names("b.test") == ["b.test"])
        let error = try #require(throws: InputError.self) { try names("b..test") }
        #expect(error.message.contains("is not a host name: "), "\(error)")
    }

    @Test("warnings about the file are reported whenever it is read") func warnings() async throws {
        let heard = Mutex<[String]>([])
        try await ScratchFolder.withURL { folder in
            let path = try write(Self.modules, in: folder)
            let current = try CurrentConfiguration(
                path, policies: [:], readIdentity: nil, clock: .system,
                warn: { text in heard.withLock { $0.append(text) } })
            try await current.reload()
        }
        let texts = heard.withLock { $0 }
        #expect(texts.count == 2 && texts.first == texts.last)
        #expect(texts.first?.hasPrefix("module \"app\": nsc.xml: line 2: ") == true, "\(texts)")
    }
}
