import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeProfiles
import Testing

@Suite struct ForecastTests {
    private static let now = "2026-03-01T00:00:00Z"

    /// `event/platform: result` for each row.
    private func forecast(
        _ text: String, at instant: String = now, chains: [String: ConnectionEvidence] = [:],
        compared: [String: [CertificateEvidence]] = [:], format: ProfileFormat = .nativeYAML
    ) throws -> [String: ForecastRow] {
        let profile = try ProfileFile.parse("profile: 1\n" + text, from: "app.yaml").withImpliedServices
        let rows = ProfileForecast(profile, chains: chains, compared: compared, format: format).rows(
            at: try RFC3339.parse(instant))
        return Dictionary(rows.map { ("\($0.event.rawValue)/\($0.platform)", $0) }) { first, _ in first }
    }

    private func expect(
        _ rows: [String: ForecastRow], _ expected: [String: ForecastRow.Result],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(rows.mapValues(\.result) == expected, sourceLocation: sourceLocation)
        #expect(rows.values.allSatisfy { !$0.reason.isEmpty }, sourceLocation: sourceLocation)
    }

    private static func service(_ set: String) -> String { "services: {api: {url: a.test, pins: [{\(set)}]}}" }

    @Test("[R106] a certificate pin breaks at every renewal, a key pin only with the key")
    func kinds() throws {
        expect(
            try forecast(Self.service("anyOf: [\"\(Pins.text(1, .cert))\"]")),
            [
                "as-served/certificate": .passes, "renewed-same-key/certificate": .fails,
                "renewed-new-key/certificate": .fails, "new-intermediate/certificate": .fails,
                "new-root/certificate": .fails,
            ])
        expect(
            try forecast(
                Self.service("position: leaf, anyOf: [\"\(Pins.text(1))\", {pin: \"\(Pins.text(2))\", backup: true}]")),
            [
                "as-served/spki": .passes, "renewed-same-key/spki": .passes, "renewed-backup-key/spki": .passes,
                "renewed-new-key/spki": .fails, "new-intermediate/spki": .fails, "new-root/spki": .fails,
            ])
        expect(
            try forecast(Self.service("position: leaf, anyOf: [\"\(Pins.text(1, .rawkey))\"]")),
            [
                "as-served/rawkey": .passes, "renewed-same-key/rawkey": .passes, "renewed-new-key/rawkey": .fails,
                "new-intermediate/rawkey": .fails, "new-root/rawkey": .fails,
            ])
    }

    /// The CA that a pin matches is not known: the answer lies between the intermediate's and the root's.
    @Test func unknownDepthsDepend() throws {
        let rows = try forecast(Self.service("position: ca, anyOf: [\"\(Pins.text(1))\"]"))
        expect(
            rows,
            [
                "as-served/spki": .passes, "renewed-same-key/spki": .passes, "renewed-new-key/spki": .passes,
                "new-intermediate/spki": .depends, "new-root/spki": .fails,
            ])
        #expect(rows["new-intermediate/spki"]?.reason.contains("chain") == true)
        let any = try forecast(Self.service("position: any, anyOf: [\"\(Pins.text(1))\"]"))
        #expect(any["renewed-new-key/spki"]?.result == .depends)
        let firstTwo = try forecast(Self.service("position: first-2, anyOf: [\"\(Pins.text(1))\"]"))
        #expect(firstTwo["renewed-new-key/spki"]?.result == .depends)
        #expect(firstTwo["new-intermediate/spki"]?.result == .fails)
    }

    @Test("[R64] how often leaf, intermediate and root change") func frequencies() throws {
        let rows = try forecast(
            Self.service("position: leaf, anyOf: [\"\(Pins.text(1))\"]"), at: "2026-03-15T00:00:00Z")
        #expect(rows["renewed-same-key/spki"]?.frequency == "at least every 200 days")
        #expect(rows["new-intermediate/spki"]?.frequency?.contains("CA") == true)
        #expect(rows["new-root/spki"]?.frequency?.contains("rarely") == true)
        let days = ["2026-03-14", "2026-03-15", "2027-03-14", "2027-03-15", "2029-03-14", "2029-03-15"]
        #expect(
            try days.map { LeafLifetime.days(issuedAt: try RFC3339.parse($0 + "T00:00:00Z")) }
                == [398, 200, 200, 100, 100, 47])
    }

    @Test("[R9, R10] what a window tolerates, and when") func windows() throws {
        func text(_ fallback: String) -> String {
            """
            hosts:
              - host: a.test
                match: ats
                pins:
                  - {position: leaf, anyOf: ["\(Pins.text(1))", {pin: "\(Pins.text(2))", backup: true}]}
                  - {anyOf: ["\(Pins.text(3, .cert))"], window: {from: 2026-07-27, to: 2026-08-26, fallback: \(fallback)}}
            """
        }
        let rows = try forecast(text("alternate"))
        let certificate = rows.filter { $0.key.hasSuffix("/certificate") }
        expect(
            certificate,
            [
                "as-served/certificate": .passes, "renewed-same-key/certificate": .fails,
                "renewed-backup-key/certificate": .fails, "renewed-new-key/certificate": .fails,
                "new-intermediate/certificate": .fails, "new-root/certificate": .fails,
                "in-window-same-key/certificate": .passesWithWarning,
                "in-window-backup-key/certificate": .passesWithWarning, "in-window-new-key/certificate": .fails,
                "after-window/certificate": .fails,
            ])
        #expect(rows["in-window-backup-key/ats"]?.result == .passes)
        #expect(rows["in-window-same-key/ats"]?.date == (try RFC3339.parse("2026-07-27T00:00:00Z")))
        #expect(rows["after-window/ats"]?.date == (try RFC3339.parse("2026-08-27T00:00:00Z")))
        let trusting = try forecast(text("system"))
        #expect(trusting["in-window-new-key/certificate"]?.result == .passesWithWarning)
        #expect(trusting["in-window-new-key/ats"]?.result == .fails)
        #expect(try forecast(text("alternate"), at: "2026-08-27T00:00:00Z").keys.allSatisfy { !$0.contains("window") })
    }

    @Test func expiries() throws {
        func rows(_ afterwards: String) throws -> ForecastRow? {
            try forecast(
                "hosts: [{host: a.test, match: android, pins: [{position: any, anyOf: [\"\(Pins.text(1))\"], expires: 2026-06-30, afterExpiry: \(afterwards)}]}]"
            )["pins-expire/android"]
        }
        #expect(try rows("ignore")?.result == .passesWithWarning)
        #expect(try rows("fail")?.result == .fails)
        #expect(try rows("ignore")?.date == (try RFC3339.parse("2026-07-01T00:00:00Z")))
    }

    @Test func platformsAreThoseOfTheRules() throws {
        let pins = "pins: [{position: any, anyOf: [\"\(Pins.text(1))\"]}]"
        let rules = ["ats", "android", "trustkit", "okhttp"].map { "{host: a.test, match: \($0), \(pins)}" }
        let rows = try forecast("hosts: [\(rules.joined(separator: ", "))]")
        let platforms = Set(rows.values.map(\.platform))
        #expect(platforms == ["ats", "android", "trustkit", "okhttp"])
        #expect(
            Set(
                try forecast(Self.service("position: leaf, chain: presented, anyOf: [\"\(Pins.text(1))\"]")).values.map(
                    \.platform)) == ["curl"])
        #expect(
            try forecast("environments: {dev: {pinning: off, services: {a: {url: a.test, \(pins)}}}}").isEmpty,
            "nothing is pinned")
    }

    @Test("[R6, R53] a served chain says what breaks, and when") func served() async throws {
        let lab = try LintChains(at: Self.now)
        let chain = try await lab.served()
        func rows(_ kind: PinKind, _ depth: Int, _ position: String) throws -> [String: ForecastRow] {
            try forecast(
                "services: {api: {url: good.test, pins: [{position: \(position), anyOf: [\"\(try lab.pin(kind, depth, of: chain))\"]}]}}",
                chains: ["api": chain])
        }
        let intermediate = try rows(.spki, 1, "any")
        expect(
            intermediate,
            [
                "as-served/spki": .passes, "renewed-same-key/spki": .passes, "renewed-new-key/spki": .passes,
                "new-intermediate/spki": .fails, "new-root/spki": .fails, "replaced-before-expiry/spki": .passes,
                "certificate-expires/spki": .fails,
            ])
        #expect(try rows(.rawkey, 2, "any")["new-intermediate/rawkey"]?.result == .passes)
        #expect(try rows(.rawkey, 2, "first-2")["as-served/rawkey"]?.result == .fails)
        let certificate = try rows(.cert, 0, "leaf")
        let end = try #require(certificate["replaced-before-expiry/certificate"])
        #expect(end.result == .fails)
        #expect(end.date == chain.certificates[0].details?.notAfter.addingTimeInterval(1))
        #expect(end.reason.contains("no server can meet the pin"))
        #expect(try rows(.spki, 0, "leaf")["replaced-before-expiry/spki"]?.result == .passes)
        #expect(
            try forecast(
                Self.service("position: leaf, anyOf: [\"\(Pins.text(1))\"]"), chains: ["api": chain])[
                    "as-served/spki"]?.result == .fails)
    }

    /// A renewal that keeps the key keeps what TrustKit blocks at.
    @Test func keysOfTrustKit() async throws {
        let lab = try LintChains(at: Self.now)
        let chain = try await lab.served(.ed25519)
        func rows(_ depth: Int) throws -> [String: ForecastRow] {
            let pins = "\"\(try lab.pin(.spki, depth, of: chain))\", \"\(Pins.text(1))\""
            return try forecast(
                "hosts: [{host: good.test, match: trustkit, pins: [{position: any, anyOf: [\(pins)]}]}]\nservices: {api: good.test}",
                chains: ["api": chain])
        }
        let leaf = try rows(0)
        for event in ["as-served", "renewed-same-key"] {
            let row = try #require(leaf["\(event)/trustkit"])
            #expect(row.result == .fails && row.reason.contains("TrustKit can't hash"), "\(row)")
        }
        #expect(leaf["renewed-new-key/trustkit"]?.reason.contains("TrustKit can't hash") == false)
        #expect(try rows(1)["as-served/trustkit"]?.result == .passes)
    }

    @Test func commonNamesOfTheServedLeaf() async throws {
        let lab = try LintChains(at: Self.now)
        let chain = try await lab.served()
        func row(_ name: String, for host: String = "good.test", beside other: String = "") throws -> ForecastRow? {
            let pin = "{pin: \"\(try lab.pin(.cert, 0, of: chain))\", commonName: \(name)}"
            return try forecast(
                "pins: [{anyOf: [\(pin)\(other)]}]\nservices: {api: \(host)}", chains: ["api": chain])[
                    "as-served/certificate"]
        }
        #expect(try row("good.test")?.result == .passes)
        #expect(try row("other.test")?.result == .fails)
        let ofHost = ", {pin: \"\(Pins.text(1, .cert))\", commonName: www.good.test}"
        #expect(try row("good.test", for: "www.good.test", beside: ofHost)?.result == .passes)
    }

    /// A new leaf does not help below an intermediate that has ended, and one that ends before the leaf ends the chain.
    @Test func anIntermediateThatEndsBeforeTheLeaf() async throws {
        let lab = try LintChains(at: Self.now)
        let identity = try lab.pki.identity(.expiredIntermediate)
        func rows(at instant: String) async throws -> [String: ForecastRow] {
            let seen = await SuppliedChain.evidence(
                identity.chain, for: try ServerName("good.test"), anchors: try lab.pki.anchors(),
                at: try RFC3339.parse(instant))
            let chain = await SuppliedChain.otherwiseValid(seen) ?? seen
            let pin = try lab.pin(.spki, 1, of: chain)
            return try forecast(
                "services: {api: {url: good.test, pins: [{anyOf: [\"\(pin)\"]}]}}", at: instant, chains: ["api": chain])
        }
        let before = try await rows(at: "2026-02-27T00:00:00Z")
        #expect(before["renewed-same-key/spki"]?.result == .passes)
        let end = try #require(before["certificate-expires/spki"])
        #expect(end.date == (try RFC3339.parse("2026-02-28T00:00:01Z")) && end.result == .fails)
        #expect(end.reason.contains("Expired Intermediate' ends before the leaf"), "\(end.reason)")
        let after = try await rows(at: Self.now)
        for (event, rows) in [
            ("renewed-same-key", after), ("renewed-new-key", after), ("replaced-before-expiry", after),
            ("replaced-before-expiry", before),
        ] {
            let row = try #require(rows["\(event)/spki"])
            #expect(row.result == .fails && row.reason.contains("whose last day is 2026-02-28"), "\(row)")
        }
        #expect(after["new-root/spki"]?.reason.contains("whose last day") == false)
    }

    /// Pins decide nothing about a chain that leads to no trusted root, and a new leaf changes nothing in that.
    @Test func aChainWithoutATrustedPath() async throws {
        let lab = try LintChains(at: Self.now)
        func rows(_ name: LabIdentityName) async throws -> [String: ForecastRow] {
            let chain = try await lab.served(name)
            let pin = Pin(kind: .spki, digest: try chain.certificates[0].digests.get().spki)
            return try forecast(
                "services: {api: {url: good.test, pins: [{anyOf: [\"\(pin)\", \"\(Pins.text(1))\"]}]}}",
                chains: ["api": chain])
        }
        for name in [LabIdentityName.unknownIssuer, .selfSigned] {
            let untrusted = try await rows(name)
            for event in ["as-served", "renewed-same-key", "renewed-new-key", "replaced-before-expiry"] {
                let row = try #require(untrusted["\(event)/spki"])
                #expect(row.result == .fails && row.reason.contains("leads to no trusted root: "), "\(row)")
            }
            #expect(untrusted["new-root/spki"]?.reason.contains("trusted root") == false)
        }
        // A new leaf has a key of its own.
        let weak = try await rows(.rsa1024)
        let served = try #require(weak["as-served/spki"])
        #expect(served.result == .fails && served.reason.hasPrefix("every client refuses the chain: "), "\(served)")
        #expect(weak["renewed-new-key/spki"]?.reason.contains("every client") == false)
    }

    /// Most formats can't mark a backup: where one pin is served, another is for later.
    @Test func anUnmarkedBackupIsOneBesideAServedPin() async throws {
        let lab = try LintChains()
        let chain = try await lab.served()
        let pin = try lab.pin(.spki, 0, of: chain)
        func rows(_ pins: String, _ format: ProfileFormat = .android) throws -> [String: ForecastRow] {
            try forecast(
                "services: {api: {url: good.test, pins: [{position: leaf, anyOf: [\(pins)]}]}}", chains: ["api": chain],
                format: format)
        }
        let both = try rows("\"\(pin)\", \"\(Pins.text(7))\"")
        #expect(both["renewed-backup-key/spki"]?.result == .passes)
        #expect(both["renewed-new-key/spki"]?.result == .fails)
        #expect(try rows("\"\(pin)\", \"\(Pins.text(7))\"", .nativeYAML)["renewed-backup-key/spki"] == nil)
        #expect(try rows("\"\(pin)\"")["renewed-backup-key/spki"] == nil)
        #expect(try rows("\"\(Pins.text(7))\", \"\(Pins.text(8))\"")["renewed-backup-key/spki"] == nil)
    }

    @Test("[R88] a compared certificate is met by no other") func compared() async throws {
        let lab = try LintChains(at: Self.now)
        let chain = try await lab.served()
        let rows = try forecast(
            "unlistedHost: system\nservices: {api: {url: good.test, certificates: [a.pem]}}", chains: ["api": chain],
            compared: ["api": [chain.certificates[0]]])
        #expect(rows["as-served/certificate"]?.result == .passes)
        #expect(rows["renewed-same-key/certificate"]?.result == .fails)
    }

    /// The policies of checks and the forecast agree on the same chain.
    @Test func forecastsComeTrue() async throws {
        let lab = try LintChains(at: Self.now)
        let (today, tomorrow) = (try await lab.served(.good), try await lab.served(.renewedSameKey))
        for kind in PinKind.allCases {
            let digest = try today.certificates[0].digests.get()[kind]
            let group = PinGroup([Pin(kind: kind, digest: digest)], position: .leaf)
            let real = Verdict(
                PinsMatch([group]).judge(Evidence(connection: tomorrow, model: nil), at: lab.pki.epoch))
            let row = try forecast(
                "services: {api: {url: good.test, pins: [{position: leaf, anyOf: [\"\(group.pins[0])\"]}]}}",
                chains: ["api": today]
            ).values.first { $0.event == .renewedSameKey }
            #expect((row?.result == .passes) == real.outcome.isPass, "\(kind)")
        }
    }
}
