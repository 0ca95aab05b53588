import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeProfiles

/// The expanded size of a profile is bounded, whatever its own size.
@Suite struct BoundedProfileTests {
    private static func error(_ text: String) -> String? {
        do throws(InputError) {
            _ = try ProfileFile.parse(text, from: "app.yaml")
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Hosts, sets and members from aliases: 13 KB that expand to a hundred million pins.
    @Test func aliasesMultiply() throws {
        func aliases(_ name: String, _ count: Int) -> String {
            "[" + [String](repeating: "*\(name)", count: count).joined(separator: ",") + "]"
        }
        let text = """
            profile: 1
            services: {a: a.test}
            pins:
              - anyOf: [&m "\(Pins.text(1))"]
              - &s {anyOf: \(aliases("m", 1000))}
            hosts:
              - {host: first.test, pins: &p \(aliases("s", 1000))}
              - &h {host: a.test, pins: *p}
              - \(aliases("h", 1000).dropFirst().dropLast().replacing(",", with: "\n  - "))
            """
        #expect(text.utf8.count < 16_000)
        var error: String?
        let time = Stopwatch.processorTime { error = Self.error(text) }
        let message = try #require(error)
        #expect(message.contains("100000") && message.contains("app.yaml"), "\(message)")
        #expect(time < .seconds(20))
    }

    @Test func anOrdinaryAliasIsRead() throws {
        let profile = try ProfileFile.parse(
            """
            profile: 1
            hosts:
              - {host: a.test, pins: &both [{anyOf: ["\(Pins.text(1))", "\(Pins.text(2))"]}]}
              - {host: "*.b.test", match: okhttp, pins: *both}
            """, from: "app.yaml")
        #expect(profile.hosts.map(\.pins.first?.members.count) == [2, 2])
        #expect(profile.hosts.last?.pattern == "*.b.test")
    }

    /// Without a single alias, every service has the pins for all hosts.
    @Test func servicesMultiplyPins() throws {
        let set = PinSet([PinSet.Member](repeating: PinSet.Member(Pins.pin(1)), count: 2000), position: .any)
        let services = try (0..<600).map { Service(name: "s\($0)", target: try Target("s\($0).test")) }
        let profile = Profile(
            defaults: ConnectionDemands(anchors: .files([])), pins: [set],
            environments: [ProfileEnvironment(services: services)])
        let error = #expect(throws: InputError.self) { try ProfileCompiler(profile, folder: "").checks() }
        #expect(error?.message.contains("1000000") ?? false, "\(String(describing: error))")
    }

    @Test func digestsNameFilesOfTheProfile() throws {
        let digest = PinDigest.sha256(of: [1]).hex
        let profile = try ProfileFile.parse(
            "profile: 1\nanchors: [ca.pem]\ndigests: {ca.pem: 'sha256:\(digest)'}", from: "app.yaml")
        #expect(profile.digests == ["ca.pem": .sha256(of: [1])])
        for (digests, words) in [
            ("{other.pem: 'sha256:\(digest)'}", "ca.pem"), ("{ca.pem: '\(digest)'}", "sha256:"),
            ("{ca.pem: 'sha256:00'}", "64"),
        ] {
            let error = Self.error("profile: 1\nanchors: [ca.pem]\ndigests: \(digests)")
            #expect(try #require(error).contains(words), "\(error ?? "")")
        }
    }
}
