import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeSignatures
import Testing

@Suite struct ProfileReaderTests {
    private static func read(_ text: String) throws -> Profile { try ProfileFile.parse(text, from: "app.yaml") }

    /// A common name is the leaf's, and comes back as it was written.
    @Test func commonNames() throws {
        let text =
            "profile: 1\npins: [{anyOf: [{pin: \"\(Pins.text(1, .cert))\", commonName: \"*.Example.com\"}]}]"
        let profile = try Self.read(text)
        #expect(profile.pins.flatMap(\.members).map(\.commonName) == ["*.Example.com"])
        for format in [ProfileFormat.nativeYAML, .nativeJSON] {
            let written = try format.write(profile)
            #expect(written.losses.isEmpty)
            #expect(try format.read(written.bytes, FormatContext(path: "f")).profile == profile)
        }
        let error = try #require(throws: InputError.self) {
            try Self.read(text.replacing("anyOf", with: "position: any, anyOf"))
        }
        #expect(error.remedy.contains("position: leaf"), "\(error)")
    }

    @Test("[R1, R3, R46, R59, R97, R98, R99] everything a profile can say")
    func everything() throws {
        let profile = try Self.read(
            """
            profile: 1
            name: Everything
            unlistedHost: system
            anchors: [ca.pem]
            minTLS: 1.3
            hosts:
              - host: example.com
                match: ats
                includeSubdomains: yes
                pins:
                  - anyOf:
                      - \(Pins.text(1))
                      - {pin: "\(Pins.text(2))", backup: true, expires: 2027-01-31, note: in the safe}
                    position: leaf
                  - anyOf: ["cert:\(Pins.pin(3).digest.colonHex)"]
                    window: {from: 2026-07-27, to: 2026-08-26, fallback: system, maxSkew: 60, onMissingDate: lenient}
                    expires: 2026-12-31T12:00:00+01:00
                    afterExpiry: ignore
                    enforce: false
            environments:
              dev: {pinning: off, services: {api: "https://dev.example.com:8443"}}
              production:
                policies: [ats]
                services:
                  api: {url: "https://api.example.com/v1", alternates: ["b.example.com:444"]}
                  socket: {url: "wss://10.0.0.1", sni: api.example.com, shareWith: api, serverDate: never}
            models:
              - {model: atlanta, hosts: [models.example.com], servers: ["127.0.0.1:5353"], absent: terminal, cache: 60,
                 registry: [{name: atlanta, from: 2025-10-05, version: 26.0.1}, {name: dc, from: 2025-07-27, until: 2025-08-01}]}
            signers:
              - {name: Root, certificate: root.pem, commonName: .example.com, rootSerial: 10003001}
            """)
        #expect(profile.name == "Everything")
        #expect(profile.unlistedHost == .system)
        #expect(profile.defaults == ConnectionDemands(anchors: .files(["ca.pem"]), minimumTLS: .tls13))
        let rule = try #require(profile.hosts.first)
        #expect((rule.pattern, rule.semantics, rule.includesSubdomains) == ("example.com", .ats, true))
        #expect(rule.pins.map(\.position) == [.leaf, .leaf])
        #expect(rule.pins[0].members.map(\.isBackup) == [false, true])
        #expect(rule.pins[0].members[1].expires == (try RFC3339.parse("2027-01-31T23:59:59Z")))
        #expect(rule.pins[0].members[1].note == "in the safe")
        let window = TransitionWindow(
            start: try RFC3339.parse("2026-07-27T00:00:00Z"), end: try RFC3339.parse("2026-08-26T23:59:59Z"),
            fallback: .system, maximumSkew: 60, onMissingDate: .lenient)
        #expect(rule.pins[1].window == window)
        #expect(
            rule.pins[1].expiry
                == PinGroup.Expiry(last: try RFC3339.parse("2026-12-31T11:00:00Z"), afterwards: .ignore))
        #expect(!rule.pins[1].isEnforced)
        #expect(profile.environments.map(\.name) == ["dev", "production"])
        #expect(profile.environments.map(\.pinning) == [.off, .enforce])
        let services = profile.environments[1].services
        #expect(services.map(\.target.description) == ["api.example.com:443", "api.example.com:443"])
        #expect(services[0].alternates.map(\.description) == ["b.example.com:444"])
        #expect(services[1].target.endpoint.description == "10.0.0.1:443")
        #expect(services[1].sharesWith == "api")
        #expect(services[1].demands.serverDate == .never)
        let model = try #require(profile.models.first)
        #expect((model.model.description, model.absence, model.cacheSeconds) == ("atlanta", .terminal, 60))
        #expect(model.registry.map(\.until) == [nil, try RFC3339.parse("2025-08-01T23:59:59Z")])
        #expect(profile.signers.first?.rootSerial == "10003001")
    }

    /// JSON is YAML: one reader, and the same errors.
    @Test func jsonIsReadAlike() throws {
        let profile = try Self.read(
            #"{"profile": 1, "services": {"api": {"url": "https:\/\/api.example.com", "pins": [{"anyOf": ["\#(Pins.text(1))"]}]}}}"#
        )
        #expect(profile.environments.first?.services.first?.pins == [PinSet([.init(Pins.pin(1))], position: .any)])
    }

    @Test(
        "[R72] what is wrong is named with its line, its place and what to write",
        arguments: [
            ("profile: 1\nservises: {}", "app.yaml:2: 'servises'", "did you mean 'services'?"),
            ("name: x", "'profile'", "add it"),
            ("profile: 2", "is '2'", "version 1"),
            ("profile: 1\nunlistedHost: fial", "is 'fial'", "did you mean 'fail'?"),
            (
                "profile: 1\nanchors: [system, ca.pem]", "app.yaml:2: 'anchors' has 'system' beside files",
                "name files only"
            ),
            ("profile: 1\nservices: {a: {url: a.test, anchors: [ca.pem, system]}}", "has 'system' beside files", ""),
            ("profile: 1\nminTLS: 1.4", "is '1.4'", "1.3"),
            ("profile: 1\nservices: {api: 'https://a b'}", "'services.api'", "host name"),
            ("profile: 1\nservices: {api: {url: a.test, pins: [{anyOf: []}]}}", "has no pins", "at least one"),
            ("profile: 1\nservices: {api: {url: a.test, pins: [{anyOf: [abc]}]}}", "anyOf", ""),
            ("profile: 1\nservices: {a: {url: a.test, shareWith: b}}", "share with 'b'", ""),
            ("profile: 1\nhosts: [{host: '*.a.test', pins: []}]", "never matches", "okhttp"),
            ("profile: 1\nhosts: [{host: a.test, includeSubdomains: true, pins: []}]", "exact", "ats"),
            ("profile: 1\nhosts: [{host: a.test, match: okhttp, includeSubdomains: true, pins: []}]", "okhttp", "'*.'"),
            (
                "profile: 1\nservices: {a: {url: a.test, pins: [{anyOf: ['\(Pins.text(1))'], window: {from: 2026-02-01, to: 2026-01-01}}]}}",
                "ends before it begins", "swap"
            ),
            (
                "profile: 1\nservices: {a: {url: a.test, pins: [{anyOf: ['\(Pins.text(1))'], window: {from: 2026-02-30, to: 2026-03-01}}]}}",
                "is not a day", "2027-01-31"
            ),
            (
                "profile: 1\nservices: {prod/api: {url: a.test}}\nenvironments: {prod: {services: {api: {url: b.test}}}}",
                "'environments' leads to two services with the name 'prod/api'", "rename one of them"
            ),
            ("profile: 1\nname:", "is empty", "leave it out"),
            ("profile: [1", "neither YAML nor JSON", ""),
            ("", "is empty", ""),
            ("- 1", "is not a profile", ""),
            ("profile: 1\nprofile: 1", "app.yaml:1: 'profile' is there twice", "keep one of them"),
        ])
    func wrong(text: String, message: String, remedy: String) throws {
        let error = try #require(throws: InputError.self) { try Self.read(text) }
        #expect(error.message.contains(message) || error.remedy.contains(message), "\(error)")
        #expect(error.description.contains(remedy), "\(error)")
        #expect(error.source == .file)
    }

    /// YAML would read these as numbers and flags; they are words.
    @Test func wordsStayWords() throws {
        let profile = try Self.read(
            "profile: 1\nmodels: [{model: no, hosts: [m.test], dnssec: off}]\nenvironments: {on: {pinning: off}}")
        #expect(profile.models.first?.model.description == "no")
        #expect(profile.models.first?.dnssec == .off)
        #expect(profile.environments.first?.name == "on")
    }

    /// If a pin states its position, the set's own must not override it silently.
    @Test(
        "a position that is stated twice is stated alike",
        arguments: [
            ("spki@leaf", "any"), ("spki@leaf", "ca"), ("cert@ca", "leaf"), ("rawkey@any", "leaf"),
            ("spki@first-2", "first-3"), ("SPKI@leaf", "any"),
        ])
    func positionsStatedTwice(_ pin: String, _ position: String) throws {
        let text = Pins.text(1).drop { $0 != ":" }
        let stated = pin.drop { $0 != "@" }.dropFirst()
        for element in ["\"\(pin)\(text)\"", "{pin: \"\(pin)\(text)\", backup: true}"] {
            for members in [element, "\"\(Pins.text(2))\", \(element)"] {
                let error = #expect(throws: InputError.self) {
                    try Self.read("profile: 1\npins: [{position: \(position), anyOf: [\(members)]}]")
                }
                let message = try #require(error?.description)
                #expect(message.contains("states the position \(stated)"), "\(message)")
                #expect(message.contains("position: \(position)"), "\(message)")
            }
            let same = try Self.read("profile: 1\npins: [{position: \(stated), anyOf: [\(element)]}]")
            #expect(same.pins.map(\.position.description) == [String(stated)])
        }
    }

    /// A form that implies a position states none.
    @Test func aFormAloneStatesNoPosition() throws {
        let base64 = Pins.pin(1).digest.base64
        for pin in ["sha256/\(base64)", "sha256//\(base64)", "spki:sha256:\(base64)", "pin-sha256:\(base64)"] {
            let profile = try Self.read("profile: 1\npins: [{position: ca, anyOf: [\"\(pin)\"]}]")
            #expect(profile.pins.map(\.position) == [.ca])
        }
    }

    @Test func whereToDialIsStatedOnce() throws {
        func read(_ service: String) throws -> Endpoint? {
            try Self.read("profile: 1\nservices: {api: {\(service)}}").environments.first?.services.first?.target
                .endpoint
        }
        #expect(try read("url: a.test, sni: b.test")?.description == "a.test:443")
        #expect(try read("url: b.test, sni: b.test, connect: \"127.0.0.1:1\"")?.description == "127.0.0.1:1")
        let error = #expect(throws: InputError.self) { try read("url: a.test, sni: b.test, connect: \"127.0.0.1:1\"") }
        #expect(error?.description.contains("url: a.test and in connect: 127.0.0.1:1") == true)
    }
}
