import Foundation
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeTrust
import Testing

@testable import ProbeProfiles

/// Names with which TrustKit raises an exception at its start are reported where they are written.
@Suite struct TrustKitSuffixTests {
    private static let list = PublicSuffixList("com\nco.uk\n*.ck\n")

    private static func losses(
        _ name: String, _ reach: HostReach = .itself, list: PublicSuffixList? = list
    ) throws -> [String] {
        let set = PinSet([PinSet.Member(Pins.pin(1)), PinSet.Member(Pins.pin(2))], position: .any)
        let host = PinnedHost(name: name, reach: reach, port: nil, sets: [set], semantics: .exact)
        var losses: [FormatLoss] = []
        let bytes = try TrustKitFormat.write(
            [host], FormatExport(format: .trustkit, publicSuffixes: list), losses: &losses)
        #expect(String(decoding: bytes, as: UTF8.self).contains("<key>\(name)</key>"), "the host stays pinned")
        return losses.map(\.code)
    }

    @Test func namesBelowNoPublicSuffix() throws {
        #expect(try Self.losses("api.corp") == ["public-suffix"])
        #expect(try Self.losses("api.corp", list: nil) == [])
        #expect(try Self.losses("api.example.com") == [])
        #expect(try Self.losses("a.xn--p1ai") == [], "the list has it in other letters")
    }

    @Test func subdomainsOfAPublicSuffix() throws {
        #expect(try Self.losses("co.uk", .everything) == ["public-suffix"])
        #expect(try Self.losses("co.uk") == [])
        #expect(try Self.losses("example.co.uk", .everything) == [])
        #expect(try Self.losses("co.uk", .everything, list: nil) == [])
    }

    private static let amazon = PublicSuffixList("com\ns3.amazonaws.com\n*.compute.amazonaws.com\n")

    private static func rule(_ name: String, _ semantics: HostSemantics = .trustkit) throws -> HostRule {
        try HostRule(pattern: name, semantics: semantics, includesSubdomains: true, pins: [Pins.set(1)])
    }

    /// `isSubdomain` of `configuration_utils.m` looks at the registry of both names.
    @Test(
        "subdomains have the public suffix of the rule",
        arguments: [
            ("amazonaws.com", true), ("sts.amazonaws.com", true), ("compute.amazonaws.com", true),
            ("s3.amazonaws.com", false), ("bucket.s3.amazonaws.com", false), ("a.eu.compute.amazonaws.com", false),
        ])
    func subdomains(host: String, matches: Bool) throws {
        let host = try ServerName(host)
        #expect(try Self.rule("amazonaws.com").matches(host, by: Self.amazon) == matches)
        #expect(try Self.rule("amazonaws.com").matches(host, by: nil))
        #expect(try Self.rule("amazonaws.com", .android).matches(host, by: Self.amazon))
    }

    @Test func namesBelowASuffixOfTheirOwnAreALoss() throws {
        #expect(try Self.losses("amazonaws.com", .everything, list: Self.amazon) == ["public-suffix"])
        #expect(try Self.losses("amazonaws.com", list: Self.amazon) == [])
        #expect(try Self.losses("sts.amazonaws.com", .everything, list: Self.amazon) == [])
    }

    @Test(
        "another platform's rule reaches names with a suffix of their own",
        arguments: [nil, "amazonaws.com"] as [String?])
    func writtenForAnotherPlatform(chosen: String?) throws {
        func losses(_ rule: HostRule, _ format: ProfileFormat, _ traits: FormatTraits) throws -> [String] {
            let export = FormatExport(
                format: format, host: try chosen.map { try ServerName($0) }, publicSuffixes: Self.amazon)
            var reduction = ProfileReduction(Profile(hosts: [rule]), export, traits)
            let pinned = try reduction.pinnedHosts()
            #expect(pinned.map(\.name) == [rule.pattern])
            return reduction.losses.map(\.code).filter { $0 == "public-suffix" }
        }
        let rule = try Self.rule("amazonaws.com")
        #expect(try losses(rule, .android, AndroidFormat.traits) == ["public-suffix"])
        #expect(try losses(rule, .trustkit, TrustKitFormat.traits) == [])
        #expect(try losses(Self.rule("amazonaws.com", .android), .android, AndroidFormat.traits) == [])
        var narrow = rule
        narrow.includesSubdomains = false
        #expect(try losses(narrow, .android, AndroidFormat.traits) == [])
    }

    @Test func withoutAListItIsSaid() throws {
        let rules = [try Self.rule("a.test"), try Self.rule("c.a.test")]
        func isUnknown(_ host: String, by list: PublicSuffixList? = nil) throws -> Bool {
            rules.dependOnUnknownSuffixes(for: try ServerName(host), by: list)
        }
        #expect(try isUnknown("b.a.test"))
        #expect(try !isUnknown("c.a.test") && !isUnknown("a.test") && !isUnknown("b.test"))
        #expect(try !isUnknown("b.a.test", by: Self.amazon))
    }

    private static let hasList = PublicSuffixList.system()?.contains("s3.amazonaws.com") ?? false

    @Test(.enabled(if: hasList, "publicsuffix is not installed")) func aHostBelowAnotherSuffixIsNotListed() throws {
        let profile = Profile(unlistedHost: .system, hosts: [try Self.rule("amazonaws.com")])
        let compiler = ProfileCompiler(
            profile, folder: "", settings: .init(anchors: TrustAnchors(name: "test", certificates: [[1]])))
        let check = try #require(try compiler.check(of: try Target("bucket.s3.amazonaws.com")))
        let found = check.demands.flatMap { $0.judge(Evidence(connection: nil, model: nil), at: .distantPast) }
        #expect(found.map(\.code) == ["host-not-listed"])
        #expect(found.first?.message.hasSuffix("does not reach names with another public suffix") == true, "\(found)")
    }

    @Test(.enabled(if: hasList, "publicsuffix is not installed")) func anExemptionBelowAnotherSuffixIsReported() throws
    {
        let pins =
            "<key>TSKPublicKeyHashes</key><array><string>\(Samples.one)</string><string>\(Samples.two)</string></array>"
        func codes(_ exempt: String) throws -> [String] {
            let text = Samples.plist(
                "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>amazonaws.com</key><dict>"
                    + "<key>TSKIncludeSubdomains</key><true/>\(pins)</dict><key>\(exempt)</key>"
                    + "<dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict></dict></dict>")
            return try ProfileFormat.trustkit.read(Array(text.utf8), FormatContext(path: "f")).notes.map(\.code)
        }
        #expect(try codes("bucket.s3.amazonaws.com") == ["public-suffix"])
        #expect(try codes("sts.amazonaws.com") == [])
    }
}
