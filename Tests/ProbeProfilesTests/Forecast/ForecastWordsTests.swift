import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeProfiles
import Testing

/// An event, its result and its reason agree, whatever the profile and the format.
@Suite struct ForecastWordsTests {
    private static let refusals = [
        "no pin is of", "no leaf pin", "no CA pin", "not pinned", "nothing of", "has no pin", "refuse",
        "not the pinned one",
    ]

    @Test(arguments: [nil] + ProfileFormat.allCases.filter { !$0.isNative }.map(Optional.some))
    func noRowContradictsItself(format: ProfileFormat?) async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        var count = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            var profile = try RandomProfile.make(seed: seed)
            if let format {
                guard let written = try? format.write(profile).bytes,
                    let imported = try? format.read(
                        written, FormatContext(path: "file", host: try ServerName("a.test")))
                else { continue }
                profile = imported.profile
            }
            profile = profile.withImpliedServices
            let labels = profile.environments.flatMap { environment in environment.services.map(environment.label) }
            for chains in [[:], Dictionary(labels.map { ($0, served) }) { first, _ in first }] {
                for row in ProfileForecast(profile, chains: chains).rows(at: lab.pki.epoch) {
                    count += 1
                    Self.expectConsistent(row, format)
                }
            }
        }
        #expect([.pemCert, .derCert, .pemPubkey, .derPubkey].contains(format) || count > 10, "\(count) rows")
    }

    private static func expectConsistent(_ row: ForecastRow, _ format: ProfileFormat?) {
        let text = "\(row.event.rawValue): \(row.platform) \(row.result.rawValue): \(row.reason)"
        if row.event == .certificateExpires { #expect(row.result == .fails, "\(text)") }
        switch row.result {
        case .passes:
            #expect(!refusals.contains(where: row.reason.contains), "\(text)")
            #expect(row.reason.contains("matches"), "\(text)")
        case .fails: #expect(!row.reason.contains(" matches certificate"), "\(text)")
        case .passesWithWarning, .depends: break
        }
        if let format { #expect(FormatWords.foreign(row.reason, to: format).isEmpty, "\(text)") }
    }

    @Test("of two sets that both have to match, the one that misses is named") func missingSet() async throws {
        let lab = try LintChains()
        let chain = try await lab.served()
        func reasons(_ leaf: String, _ authority: String) throws -> [ForecastEvent: String] {
            let text = """
                profile: 1
                hosts:
                - host: good.test
                  match: ats
                  pins: [{position: leaf, anyOf: ["\(leaf)"]}, {position: ca, anyOf: ["\(authority)"]}]
                services: {api: {url: good.test}}
                """
            let rows = ProfileForecast(try ProfileFile.parse(text, from: "app.yaml"), chains: ["api": chain])
                .rows(at: lab.pki.epoch)
            return Dictionary(rows.map { ($0.event, $0.reason) }) { first, _ in first }
        }
        let (leaf, root) = (try lab.pin(.spki, 0, of: chain), try lab.pin(.spki, 2, of: chain))
        let other = Pins.text(9)
        #expect(try reasons(leaf, other)[.asServed] == "no CA pin is of the chain as it is")
        #expect(try reasons(other, root)[.asServed] == "no leaf pin is of the chain as it is")
        // The root above the new key and the new intermediate is pinned.
        #expect(try reasons(leaf, root)[.renewedNewKey] == "the leaf's new key is not pinned")
        #expect(try reasons(leaf, root)[.newIntermediate] == "the leaf's new key is not pinned")
    }

    @Test("pins that expire concern the platforms that have them alone") func expiringPins() throws {
        let pins = "pins: [{position: any, anyOf: [\"\(Pins.text(1))\"]"
        let text =
            "profile: 1\nhosts: [{host: a.test, match: ats, \(pins)}]}, {host: a.test, match: android, \(pins), expires: 2026-06-30, afterExpiry: ignore}]}]"
        let profile = try ProfileFile.parse(text, from: "app.yaml").withImpliedServices
        let rows = ProfileForecast(profile).rows(at: try RFC3339.parse(Linted.now))
        #expect(rows.filter { $0.event == .pinsExpire }.map(\.platform) == ["android"])
    }
}
