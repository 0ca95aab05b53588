import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

@Suite struct ProfileCompilerTests {
    private static let anchors = TrustAnchors(name: "test", certificates: [[1]])

    private static func compile(
        _ text: String, environments: [String] = [], policies: [String: any Policy] = [:]
    ) throws -> [Check] {
        let profile = try ProfileFile.parse("profile: 1\n" + text, from: "app.yaml")
        return try ProfileCompiler(
            profile, folder: "",
            settings: .init(anchors: anchors, environments: environments, policies: policies)
        ).checks().services
    }

    /// Returns the findings that a check has whatever the server does.
    private static func announced(_ check: Check) -> [Finding] {
        check.demands.flatMap { $0.judge(Evidence(connection: nil, model: nil), at: .distantPast) }
    }

    @Test("[R97, R98, R99] services have pins of their own, per environment")
    func ownPins() throws {
        let text = """
            environments:
              staging: {services: {api: {url: "https://api.test", pins: [{anyOf: ["\(Pins.text(1))"]}]}}}
              production:
                services:
                  api: {url: "https://api.test:8443/path?query", pins: [{anyOf: ["\(Pins.text(2))"]}]}
                  socket: {url: "wss://api.test/stomp", pins: [{anyOf: ["\(Pins.text(3))"]}]}
                  janus: {url: "wss://janus.test", shareWith: socket}
            """
        let checks = try Self.compile(text)
        #expect(checks.map(\.service) == ["staging/api", "production/api", "production/socket", "production/janus"])
        #expect(
            checks.map(\.target.description) == ["api.test:443", "api.test:8443", "api.test:443", "janus.test:443"])
        #expect(
            checks.map { $0.pins.flatMap(\.pins) } == [[Pins.pin(1)], [Pins.pin(2)], [Pins.pin(3)], [Pins.pin(3)]])
        #expect(try Self.compile(text, environments: ["staging"]).map(\.service) == ["staging/api"])
        let error = try #require(throws: InputError.self) { try Self.compile(text, environments: ["prod"]) }
        #expect(error.remedy.contains("staging, production"))
    }

    /// A reader takes a host rule to hold for the service too, as the app's platform would: a pass by less is said.
    @Test("[R3] host rules that stand back for a service's own pins are named", arguments: [1, 2])
    func hostRulesStandBack(pinned: UInt8) throws {
        let text = """
            hosts: [{host: api.test, pins: [{anyOf: ["\(Pins.text(1))"]}]}]
            services: {api: {url: "https://api.test", pins: [{anyOf: ["\(Pins.text(pinned))"]}]}}
            """
        let check = try #require(try Self.compile(text).first)
        #expect(check.pins.map(\.pins) == [[Pins.pin(pinned)]])
        let found = Self.announced(check).filter { $0.code == "host-rules-not-applied" }
        #expect(found.map(\.severity) == (pinned == 1 ? [] : [.warning]))
        #expect(try Linted.codes(text).contains("host-rules-not-applied") == (pinned != 1))
    }

    /// Services on one host never get each other's pins, unless that client is emulated.
    @Test func emulationUnitesAHost() throws {
        let text = """
            services:
              api: {url: "https://one.test", emulate: ecall, pins: [{anyOf: ["\(Pins.text(1, .rawkey))"]}]}
              socket: {url: "wss://one.test:444", pins: [{anyOf: ["\(Pins.text(2, .rawkey))"]}]}
            """
        let checks = try Self.compile(text)
        #expect(checks[0].pins.map(\.pins) == [[Pins.pin(1, .rawkey), Pins.pin(2, .rawkey)]])
        #expect(checks[1].pins.map(\.pins) == [[Pins.pin(2, .rawkey)]])
    }

    @Test(
        "[R100] a host without pins is what the profile says",
        arguments: [("fail", Finding.Severity.error), ("system", .note)])
    func unlisted(_ word: String, severity: Finding.Severity) throws {
        let check = try #require(try Self.compile("unlistedHost: \(word)\nservices: {api: a.test}").first)
        #expect(Self.announced(check).map(\.severity) == [severity])
        #expect(Self.announced(check).map(\.code) == ["host-not-listed"])
        #expect(try Self.compile("unlistedHost: skip\nservices: {api: a.test}").isEmpty)
        let bare = try #require(try Self.compile("services: {api: a.test}").first)
        #expect(Self.announced(bare).first?.outcome == .pinMismatch, "an empty check must not pass")
    }

    @Test("[R96] without pins trust still decides, and the report says that pinning is off")
    func pinningOff() throws {
        let text =
            "environments: {dev: {pinning: off, services: {api: {url: a.test, pins: [{anyOf: ['\(Pins.text(1))']}]}}}}"
        let check = try #require(try Self.compile(text).first)
        #expect(check.pins.isEmpty)
        #expect(check.trust == .both)
        #expect(check.anchors == Self.anchors)
        #expect(Self.announced(check).map(\.code) == ["pinning-off"])
        #expect(Self.announced(check).map(\.severity) == [.warning])
    }

    @Test func reportOnlyEnvironments() throws {
        let text =
            "environments: {beta: {pinning: report, services: {api: {url: a.test, pins: [{anyOf: ['\(Pins.text(1))']}]}}}}"
        #expect(try Self.compile(text).first?.pins.map(\.isEnforced) == [false])
    }

    @Test func narrowerDemandsWin() throws {
        let text = """
            minTLS: 1.2
            unlistedHost: system
            serverDate: always
            environments:
              production: {minTLS: 1.3, services: {a: a.test, b: {url: b.test, minTLS: "1.1", serverDate: never}}}
            """
        let checks = try Self.compile(text)
        #expect(checks.map(\.minimumTLS) == [.tls13, .tls11])
        #expect(checks.map(\.serverDate) == [.always, .never])
    }

    @Test func policiesAreNamed() throws {
        let policies: [String: any Policy] = ["ats": MinimumVersion(.tls13)]
        let check = try Self.compile("unlistedHost: system\npolicies: [ats]\nservices: {a: a.test}", policies: policies)
        #expect(check.first?.demands.count == 2)
        let twice = try Self.compile(
            "unlistedHost: system\npolicies: [ats, ats]\nservices: {a: a.test}", policies: policies)
        #expect(twice.first?.demands.count == 2)
        let error = try #require(throws: InputError.self) {
            try Self.compile("policies: [atz]\nservices: {a: a.test}", policies: policies)
        }
        #expect(error.remedy.contains("did you mean 'ats'?"))
    }

    @Test("[R86] the emulated client's reading of the name is a demand of its service")
    func emulation() throws {
        let checks = try Self.compile(
            "unlistedHost: system\nservices: {a: {url: a.test, emulate: minvws}, b: b.test}")
        #expect(checks.map { $0.demands.count { $0 is EmulatedName } } == [1, 0])
    }

    /// Its validator blocks on any fault but a missing pin, enforced or not.
    @Test(
        "TrustKit blocks at a key that it can't hash, unless a pinned one is above it",
        arguments: [("trustkit", 0, true), ("trustkit", 0, false), ("trustkit", 1, true), ("android", 0, true)])
    func keysOfTrustKit(match: String, depth: Int, isEnforced: Bool) async throws {
        let lab = try LintChains()
        let served = try await lab.served(.ed25519)
        let pins = "\"\(try lab.pin(.spki, depth, of: served))\", \"\(Pins.text(1))\""
        func errors(_ more: String = "") throws -> [String] {
            let set = "{position: any, enforce: \(isEnforced), anyOf: [\(pins)]\(more)}"
            let check = try #require(
                try Self.compile(
                    "hosts: [{host: good.test, match: \(match), pins: [\(set)]}]\nservices: {api: good.test}"
                ).first)
            return check.demands.flatMap { $0.judge(Evidence(connection: served, model: nil), at: lab.pki.epoch) }
                .filter { $0.severity == .error }.map(\.code)
        }
        #expect(try errors() == (match == "trustkit" && depth == 0 ? ["trustkit-key-type"] : []))
        #expect(try errors(", expires: 2026-01-01, afterExpiry: ignore") == [], "it pins nothing any more")
    }

    /// The leaf of `good.test` has that common name.
    @Test("a pin for a common name counts for a leaf with exactly that one") func commonNames() async throws {
        let lab = try LintChains()
        func codes(_ served: ConnectionEvidence, _ members: String) throws -> [String] {
            let pin = Pin(kind: .cert, digest: try served.certificates[0].digests.get().cert)
            let check = try #require(
                try Self.compile(
                    "pins: [{anyOf: [\(members.replacing("PIN", with: "\"\(pin)\""))]}]\nservices: {api: www.good.test}"
                ).first)
            #expect(check.pins.flatMap(\.pins).contains(pin))
            return check.demands.flatMap { $0.judge(Evidence(connection: served, model: nil), at: lab.pki.epoch) }
                .filter { $0.severity == .error }.map(\.code)
        }
        let served = try await lab.served()
        let differs = ["common-name-differs"]
        #expect(try codes(served, "{pin: PIN, commonName: good.test}") == [])
        #expect(try codes(served, "{pin: PIN, commonName: GOOD.test}") == differs)
        #expect(try codes(served, "{pin: PIN, commonName: \"*.good.test\"}") == differs)
        #expect(try codes(served, "{pin: PIN, commonName: www.good.test}") == differs)
        #expect(try codes(served, "{pin: PIN, commonName: other.test}, {pin: PIN, commonName: good.test}") == [])
        #expect(try codes(served, "{pin: PIN, commonName: other.test}, PIN") == [])
        let ofHost = "{pin: \"\(Pins.text(1, .cert))\", commonName: www.good.test}"
        #expect(try codes(served, "{pin: PIN, commonName: good.test}, \(ofHost)") == [], "the host is listed too")
        let expired = "{pin: PIN, commonName: good.test, expires: 2026-01-01}, {pin: PIN, commonName: other.test}"
        #expect(try codes(served, expired) == ["pins-expired"], "it is listed for its own name")
        let endless = PinSet(
            [PinSet.Member(Pins.pin(1), expires: .distantPast), PinSet.Member(Pins.pin(1), commonName: "a")],
            position: .leaf)
        #expect(endless.group().pinExpiries.isEmpty)
        #expect(endless.group().advised(for: "a").pins == [Pins.pin(1), Pins.pin(1)])

        var recipe = LabCertificateRecipe.leaf("nameless")
        // A DER name of one organisation: O = A.
        recipe.encodedSubject = [
            0x30, 0x0c, 0x31, 0x0a, 0x30, 0x08, 0x06, 0x03, 0x55, 0x04, 0x0a, 0x0c, 0x01, 0x41,
        ]
        let nameless = await SuppliedChain.evidence(
            [try lab.pki.issue(recipe)], for: nil, anchors: .none, at: lab.pki.epoch)
        #expect(try codes(nameless, "{pin: PIN, commonName: good.test}") == differs)
    }

    /// The group itself has the latest end of a pin over all names.
    @Test("advice is by the pins for one common name, and verdicts are by all") func advisedPins() throws {
        let (first, second) = (Pins.pin(1), Pins.pin(2))
        let group = PinSet(
            [
                PinSet.Member(first, expires: .distantPast, commonName: "a"),
                PinSet.Member(first, expires: .distantFuture, commonName: "b"),
                PinSet.Member(second, commonName: "b"),
            ], position: .leaf
        ).group()
        #expect(group.pins == [first, first, second])
        #expect(group.advised(for: "a").pins == [first])
        #expect(group.advised(for: "a").pinExpiries == [first: .distantPast])
        #expect(group.advised(for: "b").pins == [first, second])
        #expect(group.advised(for: "b").pinExpiries == [first: .distantFuture])
        #expect(group.advised(for: "c").pins == group.pins && group.advised(for: nil).pins == group.pins)
        var plain = group
        plain.named = [:]
        #expect(plain == group && plain.hashValue == group.hashValue)
    }

    @Test("[R88, R89] a service's certificates are alternatives, anywhere in the chain, and instead of pins")
    func certificates() throws {
        try ScratchFolder.withURL { folder in
            let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
            for name in [LabIdentityName.good, .second] {
                try Data(pki.identity(name).leaf).write(to: folder.appending(path: "\(name).der"))
            }
            let profile = try ProfileFile.parse(
                "profile: 1\nservices: {a: {url: a.test, certificates: [good.der, second.der]}}", from: "app.yaml")
            let compiler = ProfileCompiler(profile, folder: folder.path, settings: .init(anchors: Self.anchors))
            let check = try #require(try compiler.checks().services.first)
            let leaves = try [pki.identity(.good).leaf, pki.identity(.second).leaf]
            #expect(check.certificates.map(\.certificates) == [leaves])
            #expect(check.certificates.map(\.position) == [.any])
            #expect(Self.announced(check) == [])
        }
    }

    @Test("[R84, R85] anchors come from the profile's files, and a file that is not there is an error")
    func anchorFiles() throws {
        let profile = try ProfileFile.parse(
            "profile: 1\nanchors: [no-such.pem]\nunlistedHost: system\nservices: {a: a.test}", from: "app.yaml")
        let error = try #require(throws: InputError.self) {
            try ProfileCompiler(profile, folder: "/nonexistent").checks()
        }
        #expect(error.message.contains("/nonexistent/no-such.pem"))
    }

    @Test func aServerGivenByNameIsRefused() throws {
        let profile = try ProfileFile.parse(
            "profile: 1\nmodels: [{model: atlanta, hosts: [a.test], servers: ['localhost:53']}]", from: "app.yaml")
        let error = try #require(throws: InputError.self) {
            try ProfileCompiler(profile, folder: "", settings: .init(anchors: Self.anchors)).checks()
        }
        #expect(error.source == .file)
        #expect(error.message.contains("'localhost:53'"))
        #expect(error.remedy == "give its address")
    }

    @Test("[R19, R105] the model is the profile's, and nothing of the list is kept in it")
    func models() throws {
        let profile = try ProfileFile.parse(
            "profile: 1\nmodels: [{model: atlanta, hosts: [a.test, b.test], servers: ['127.0.0.1:5353', 'https://doh.test/dns-query'], strings: separate, cache: 60}]",
            from: "app.yaml")
        let model = try #require(
            try ProfileCompiler(profile, folder: "", settings: .init(anchors: Self.anchors)).checks().models.first)
        #expect(model.model?.description == "atlanta")
        #expect(model.hosts.map(\.description) == ["a.test", "b.test"])
        #expect(model.servers.map(\.description) == ["127.0.0.1:5353"])
        #expect(model.httpsServers.count == 1)
        #expect(model.strings == .separate)
        #expect(model.cacheLifetime == CacheLifetime(60))
    }
}
