import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeTrust
import Testing

/// The pins of several services on one host, for a client that looks pins up by host (decided: services-apart).
@Suite struct EmulatedHostTests {
    private static func profile(_ services: String, rules: String = "") throws -> Profile {
        try ProfileFile.parse("profile: 1\n\(rules)services: {\(services)}", from: "app.yaml")
    }

    /// Compiles services, and returns the checks by their names.
    private static func checks(_ services: String, rules: String = "") throws -> [String: Check] {
        let profile = try profile(services, rules: rules)
        let checks = try ProfileCompiler(
            profile, folder: "", settings: .init(anchors: TrustAnchors(name: "test", certificates: [[1]]))
        ).checks().services
        return Dictionary(uniqueKeysWithValues: checks.map { ($0.service ?? "", $0) })
    }

    private static func service(_ name: String, _ sets: String, emulate: Bool = false, port: Int = 443) -> String {
        "\(name): {url: \"one.test:\(port)\", \(emulate ? "emulate: ecall, " : "")pins: [\(sets)]}"
    }

    private static func set(_ pins: UInt8..., more: String = "") -> String {
        "{\(more)anyOf: [\(pins.map { "\"\(Pins.text($0))\"" }.joined(separator: ", "))]}"
    }

    /// Returns the codes of the findings that a check has whatever the server does.
    private static func announced(_ check: Check?) -> [String] {
        (check?.demands ?? []).flatMap { $0.judge(Evidence(connection: nil, model: nil), at: .distantPast) }.map(\.code)
    }

    @Test("[R3] every set of one service has to match, emulated or not", arguments: [false, true])
    func setsOfOneService(emulate: Bool) throws {
        let check = try Self.checks(Self.service("api", "\(Self.set(1)), \(Self.set(2))", emulate: emulate))["api"]
        #expect(check?.pins.map(\.pins) == [[Pins.pin(1)], [Pins.pin(2)]])
        #expect(Self.announced(check) == [])
    }

    /// Position, time and enforcement of one service's pins are not those of another's.
    @Test(
        "sets that differ in more than their pins are not united",
        arguments: [
            "enforce: false, ", "expires: 2020-01-01, afterExpiry: ignore, ", "position: ca, ", "chain: presented, ",
            "window: {from: 2020-01-01, to: 2020-02-01}, ",
        ])
    func otherFrames(frame: String) throws {
        let janus = Self.service("janus", Self.set(2), emulate: true, port: 444)
        let services = "\(Self.service("api", Self.set(1, more: frame))), \(janus)"
        let checks = try Self.checks(services)
        let alone = try #require(try Self.checks(janus)["janus"])
        let check = try #require(checks["janus"])
        #expect(check.pins == alone.pins && check.pins.map(\.pins) == [[Pins.pin(2)]])
        #expect(Self.announced(check) == ["pins-not-united"])
        #expect(Self.announced(checks["api"]) == [])
        let linted = try Linted.findings("services: {\(services)}").filter { $0.code == "pins-not-united" }
        #expect(linted.map(\.path) == ["services.janus"])
        // Without pins of its own a service has nothing that is stricter than all of them.
        let bare = "bare: {url: \"one.test:445\", emulate: ecall}"
        let every = try #require(try Self.checks("\(services), \(bare)")["bare"])
        #expect(every.pins.map(\.pins) == [[Pins.pin(1)], [Pins.pin(2)]])
        #expect(Self.announced(every) == ["pins-not-united"])
    }

    /// Relaxed, the service's own pins would let through what its client refuses by a neighbour's.
    @Test(
        "own pins are not judged alone where they only report or may be ignored",
        arguments: [
            ("enforce: false, ", true), ("expires: 2020-01-01, afterExpiry: ignore, ", true),
            ("window: {from: 2020-01-01, to: 2020-02-01}, ", false), ("expires: 2020-01-01, ", false),
            ("position: ca, ", false), ("chain: presented, ", false),
        ])
    func relaxedPins(frame: String, isRelaxed: Bool) throws {
        let janus = Self.service("janus", Self.set(2, more: frame), emulate: true, port: 444)
        let services = "\(Self.service("api", Self.set(1))), \(janus)"
        let check = try #require(try Self.checks(services)["janus"])
        #expect(check.pins.map(\.pins) == (isRelaxed ? [[Pins.pin(1)], [Pins.pin(2)]] : [[Pins.pin(2)]]))
        if !isRelaxed { #expect(check.pins.allSatisfy { $0.isEnforced && $0.window == nil }) }
        #expect(Self.announced(check) == ["pins-not-united"])
        let linted = try Linted.findings("services: {\(services)}").filter { $0.code == "pins-not-united" }
        #expect(linted.map { $0.message.contains("every set of theirs has to match") } == [isRelaxed])
    }

    @Test("a set that several lists have is judged once") func repeatedSets() throws {
        let own = "\(Self.set(1, more: "expires: 2020-01-01, afterExpiry: ignore, ")), \(Self.set(2))"
        let check = try Self.checks(
            "\(Self.service("api", Self.set(2))), \(Self.service("janus", own, emulate: true, port: 444))")["janus"]
        #expect(check?.pins.map(\.pins) == [[Pins.pin(2)], [Pins.pin(1)]])
    }

    @Test("[R104] a pin that any of the services marks as a backup is one") func markedBackups() throws {
        func set(_ pins: UInt8..., backup: UInt8?) -> String {
            let members = pins.map { "{pin: \"\(Pins.text($0))\"\($0 == backup ? ", backup: true" : "")}" }
            return "{anyOf: [\(members.joined(separator: ", "))]}"
        }
        // The neighbour's list demands the same, or is another one.
        let marks: [(UInt8?, UInt8?)] = [(nil, 7), (7, nil)]
        for (first, second) in marks {
            for neighbour in [set(1, 7, backup: first), set(3, 7, backup: first)] {
                let own = Self.service("janus", set(1, 7, backup: second), emulate: true, port: 444)
                let services = "\(Self.service("api", neighbour)), \(own)"
                let check = try #require(try Self.checks(services)["janus"])
                #expect(check.pins.count == 1)
                #expect(try Self.profile(services).backups(of: check) == [[Pins.pin(7)]])
            }
        }
    }

    /// The pins of the same service must not depend on whether the one that shares them emulates the client too.
    @Test("what a service shares is united first") func unitedThenShared() throws {
        let shared =
            "stream: {url: two.test, emulate: ecall, pins: [\(Self.set(1))]}, "
            + "s3: {url: \"two.test:445\", pins: [\(Self.set(2))]}"
        for emulation in ["", "emulate: ecall, "] {
            let checks = try Self.checks("janus: {url: one.test, \(emulation)shareWith: stream}, \(shared)")
            #expect(checks["janus"]?.pins.map { Set($0.pins) } == [[Pins.pin(1), Pins.pin(2)]])
        }
        // Each shares the pins of the other's host.
        let circle = try Self.checks(
            "a: {url: one.test, emulate: ecall, pins: [\(Self.set(1))]}, b: {url: two.test, emulate: ecall, pins: [\(Self.set(2))]}, "
                + "c: {url: \"one.test:444\", emulate: ecall, shareWith: b}, "
                + "d: {url: \"two.test:444\", emulate: ecall, shareWith: a}")
        for name in ["a", "b", "c", "d"] {
            #expect(circle[name]?.pins.map { Set($0.pins) } == [[Pins.pin(1), Pins.pin(2)]], "\(name)")
        }
    }

    @Test("several sets of one service are not alternatives to another's") func severalSets() throws {
        let own = "\(Self.set(2)), \(Self.set(3))"
        let checks = try Self.checks(
            "\(Self.service("api", Self.set(1))), \(Self.service("janus", own, emulate: true, port: 444))")
        #expect(checks["janus"]?.pins.map(\.pins) == [[Pins.pin(2)], [Pins.pin(3)]])
        #expect(Self.announced(checks["janus"]) == ["pins-not-united"])
    }

    @Test("the same pins are united, and those that a service shares") func sharedPins() throws {
        let both = "\(Self.set(1)), \(Self.set(2))"
        let same = try Self.checks(
            "\(Self.service("api", both)), \(Self.service("janus", both, emulate: true, port: 444))")
        #expect(same["janus"]?.pins == same["api"]?.pins)
        #expect(Self.announced(same["janus"]) == [])
        let shared = try Self.checks(
            "\(Self.service("api", Self.set(1))), stream: {url: two.test, pins: [\(Self.set(2))]}, "
                + "janus: {url: \"one.test:444\", emulate: ecall, shareWith: stream}")
        #expect(shared["janus"]?.pins.map(\.pins) == [[Pins.pin(1), Pins.pin(2)]])
    }

    /// A pin that ended in one service is good in another.
    @Test func aPinHasTheLastOfItsEnds() throws {
        let ended = "{anyOf: [{pin: \"\(Pins.text(1))\", expires: 2020-01-01}]}"
        for (first, second) in [(ended, Self.set(1)), (Self.set(1), ended)] {
            let checks = try Self.checks(
                "\(Self.service("api", first)), \(Self.service("janus", second, emulate: true, port: 444))")
            let group = try #require(checks["janus"]?.pins.first)
            #expect(Set(group.pins) == [Pins.pin(1)] && group.pinExpiries.isEmpty)
        }
    }

    @Test("host rules that the neighbours' pins replace are named") func hostRules() throws {
        let checks = try Self.checks(
            "\(Self.service("api", Self.set(1))), bare: {url: \"one.test:444\", emulate: ecall}",
            rules: "hosts: [{host: one.test, pins: [\(Self.set(2))]}]\n")
        #expect(checks["bare"]?.pins.map(\.pins) == [[Pins.pin(1)]])
        #expect(Self.announced(checks["bare"]) == ["host-rules-not-applied"])
    }

    /// Advice that can't be followed leads in circles.
    @Test func adviceHolds() throws {
        func findings(_ frame: String, emulate: Bool) throws -> [LintFinding] {
            let other = Self.service("janus", Self.set(2, more: frame), emulate: emulate, port: 444)
            return try Linted.findings("services: {\(Self.service("api", Self.set(1))), \(other)}").filter {
                ["host-pins-differ", "pins-not-united"].contains($0.code)
            }
        }
        #expect(try findings("", emulate: false).map { $0.fix.contains("in its pins alone") } == [false])
        #expect(try findings("", emulate: true) == [])
        #expect(try findings("enforce: false, ", emulate: false).map { $0.fix.contains("in its pins alone") } == [true])
        #expect(try findings("enforce: false, ", emulate: true).map(\.code) == ["pins-not-united"])
    }
}
