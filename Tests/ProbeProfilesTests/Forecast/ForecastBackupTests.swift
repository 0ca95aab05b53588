import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeTestSupport
import Testing

/// The pins that wait beside a served chain: what is in use is not a backup, and a pinned certificate may follow another.
@Suite(.bounded) struct ForecastBackupTests {
    private static func rows(
        _ service: String, _ chain: ConnectionEvidence, _ format: ProfileFormat = .nativeYAML,
        compared: [CertificateEvidence]? = nil
    ) throws -> [String: ForecastRow] {
        let text = "profile: 1\nunlistedHost: system\nservices: {api: {url: good.test, \(service)}}"
        let rows = ProfileForecast(
            try ProfileFile.parse(text, from: "app.yaml"), chains: ["api": chain],
            compared: compared.map { ["api": $0] } ?? [:], format: format
        ).rows(at: chain.instant)
        return Dictionary(rows.map { ("\($0.event.rawValue)/\($0.platform)", $0) }) { first, _ in first }
    }

    private static func set(_ members: String...) -> String {
        "pins: [{position: leaf, anyOf: [\(members.joined(separator: ", "))]}]"
    }

    @Test("a backup that is served is in use, and does not wait for a renewal") func servedBackups() async throws {
        let lab = try LintChains()
        let rotated = try await lab.served(.renewedNewKey)
        let retired = "\"\(try lab.pin(.spki, 0, of: try await lab.served()))\""
        let used = "{pin: \"\(try lab.pin(.spki, 0, of: rotated))\", backup: true}"
        let row = "renewed-backup-key/spki"
        #expect(try Self.rows(Self.set(retired, used), rotated)[row] == nil)
        let waiting = "{pin: \"\(Pins.text(1))\", backup: true}"
        #expect(try Self.rows(Self.set(retired, used, waiting), rotated)[row]?.result == .passes)
        let over = "{pin: \"\(Pins.text(1))\", backup: true, expires: 2026-02-28}"
        #expect(try Self.rows(Self.set(retired, used, over), rotated)[row] == nil)
    }

    @Test("a certificate that is pinned beside the served one follows it") func successors() async throws {
        let lab = try LintChains()
        let (good, renewed) = (try await lab.served(), try await lab.served(.renewedSameKey))
        let served = "\"\(try lab.pin(.cert, 0, of: good))\""
        let next = "\"\(try lab.pin(.cert, 0, of: renewed))\""
        let row = "replaced-before-expiry/certificate"
        func expect(_ rows: [String: ForecastRow], sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(rows[row]?.result == .passes, "\(rows[row]?.reason ?? "")", sourceLocation: sourceLocation)
            #expect(rows["renewed-backup-key/certificate"]?.result == .passes, sourceLocation: sourceLocation)
        }
        for format in [ProfileFormat.certColon, .wultra] { expect(try Self.rows(Self.set(served, next), good, format)) }
        expect(try Self.rows(Self.set(served, "{pin: \(next), backup: true}"), good))
        let files = try Self.rows(
            "certificates: [a.pem, b.pem]", good, compared: [good.certificates[0], renewed.certificates[0]])
        expect(files)
        // Without one that counts then, no server meets the pin.
        let ended = try await lab.served(.expired).certificates[0]
        for rows in [
            try Self.rows(Self.set(served), good),
            try Self.rows(Self.set(served, "{pin: \(next), backup: true, expires: 2026-04-01}"), good),
            try Self.rows("certificates: [a.pem, old.pem]", good, compared: [good.certificates[0], ended]),
        ] {
            let end = try #require(rows[row])
            #expect(end.result == .fails && end.reason.contains("no server can meet the pin"), "\(end)")
        }
        let unmarked = try #require(try Self.rows(Self.set(served, next), good)[row])
        #expect(unmarked.result == .fails && !unmarked.reason.contains("no server"), "\(unmarked)")
    }

    @Test("one certificate has to meet all sets, so that a backup of both is the one that is served next")
    func backupsOfSeveralSets() async throws {
        let lab = try LintChains()
        let good = try await lab.served()
        let served = "\"\(try lab.pin(.spki, 0, of: good))\""
        let sets = [[UInt8(1), 2], [3, 2]].map { backups in
            let members = backups.map { "{pin: \"\(Pins.text($0))\", backup: true}" }
            return "{position: leaf, anyOf: [\(([served] + members).joined(separator: ", "))]}"
        }
        let row = try Self.rows("pins: [\(sets.joined(separator: ", "))]", good)["renewed-backup-key/spki"]
        #expect(row?.result == .passes, "\(String(describing: row))")
    }

    @Test("the keys of a compared certificate are known, and the pins of keys are held to them") func keys()
        async throws
    {
        let lab = try LintChains()
        let good = try await lab.served()
        let key = Self.set("\"\(try lab.pin(.spki, 0, of: good))\"")
        func result(_ name: LabIdentityName, _ event: String) async throws -> ForecastRow.Result? {
            try Self.rows(
                "\(key), certificates: [a.pem, b.pem]", good,
                compared: [good.certificates[0], try await lab.served(name).certificates[0]])["\(event)/spki"]?.result
        }
        for event in ["renewed-backup-key", "replaced-before-expiry"] {
            #expect(try await result(.renewedSameKey, event) == .passes, "\(event)")
            #expect(try await result(.renewedNewKey, event) == .fails, "\(event)")
        }
    }

    @Test("the marks of a profile go with the groups of its checks") func marks() throws {
        let (one, two) = (Pins.text(1), Pins.text(2))
        let profile = try ProfileFile.parse(
            """
            profile: 1
            hosts: [{host: b.test, pins: [{position: leaf, anyOf: ["\(two)", {pin: "\(one)", backup: true}]}]}]
            environments:
              production: {services: {api: {url: a.test, pins: [
                {position: leaf, anyOf: ["\(one)", {pin: "\(two)", backup: true}]}, {position: any, anyOf: ["\(one)"]}]}}}
              open: {pinning: off, services: {api: {url: b.test}}}
            """, from: "app.yaml")
        let compiler = ProfileCompiler(
            profile, folder: "", settings: ProfileCompiler.Settings(anchors: TrustAnchors.none))
        let checks = try compiler.checks().services
        #expect(checks.map { profile.backups(of: $0) } == [[[Pins.pin(2)], []], []])
        let target = try #require(try compiler.check(of: try Target("b.test")))
        #expect(profile.backups(of: target) == [[Pins.pin(1)]])
    }
}
