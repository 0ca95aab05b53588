import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeRun
import Testing

@testable import ProbeProfiles

/// A remedy has to be possible in the file that it is about: every finding of every format, swept.
@Suite struct AdviceTests {
    private static let foreign = ProfileFormat.allCases.filter { !$0.isNative }

    private static let advice: [FormatAdvice] = [
        .addBackup, .removeStale, .addNextCertificate, .addPins, .enforce, .moveExpiry, .pinLeafToo, .separateLeafAndCA,
        .narrowToLeaf, .reach(.leaf), .reach(.ca), .reach(.any),
    ]

    @Test("each advice has words that each format can hold", arguments: ProfileFormat.allCases)
    func words(format: ProfileFormat) throws {
        let pins = [
            FormatAdvice.addHost(try ServerName("api.example.com")),
            .rightKind(Pins.pin(1)), .replace(Pins.pin(1)),
        ]
        for advice in Self.advice + pins {
            let text = advice.text(in: format)
            #expect(!text.isEmpty)
            #expect(FormatWords.foreign(text, to: format).isEmpty, "\(format) \(advice): \(text)")
        }
    }

    /// The steps of a check's fixes, in a file of each format.
    @Test("each step has words that each format can hold", arguments: foreign)
    func steps(format: ProfileFormat) throws {
        let pin = Pins.pin(1)
        for step in [
            Fix.Step.pin(pin, .leaf), .movePin(pin, from: .leaf, to: .ca), .movePin(pin, from: .ca, to: .leaf),
            .movePin(pin, from: .leaf, to: .ca, instead: Pins.pin(2)),
        ] {
            let fix: Fix = "\(step)"
            let text = fix.worded(try #require(FormatAdvice.words(in: format))).description
            #expect(!text.isEmpty && FormatWords.foreign(text, to: format).isEmpty, "\(text)")
            // Files of certificates and keys hold no hashes.
            let isMaterial = [.pemCert, .derCert, .pemPubkey, .derPubkey].contains(format)
            #expect(!isMaterial || !text.contains("write"), "\(text)")
        }
    }

    /// The advice works when it is followed: the wrong list is left without the pin.
    @Test func aPinIsTakenOutOfTheWrongList() throws {
        func text(_ step: Fix.Step, _ format: ProfileFormat) throws -> String {
            let fix: Fix = "\(step)"
            return fix.worded(try #require(FormatAdvice.words(in: format))).description
        }
        let (pin, leaf) = (Pins.pin(1), Pins.pin(2))
        let up = try text(.movePin(pin, from: .leaf, to: .ca, instead: leaf), .apple)
        #expect(up.hasPrefix("take it out of NSPinnedLeafIdentities"))
        #expect(up.contains("\(pin.digest.base64) in NSPinnedCAIdentities, unless it is there"))
        let down = try text(.movePin(pin, from: .ca, to: .leaf, instead: leaf), .apple)
        #expect(down.hasPrefix("take it out of NSPinnedCAIdentities"))
        #expect(down.contains("\(pin.digest.base64) in NSPinnedLeafIdentities, unless it is there"))
        let curl = try text(.movePin(pin, from: .leaf, to: .ca, instead: leaf), .curl)
        #expect(curl.hasPrefix("write the SPKI hash sha256//\(leaf.digest.base64) instead of this one"))
    }

    @Test func recordsAreMovedByTheirUsage() throws {
        let words = try #require(FormatAdvice.words(in: .tlsa))
        func text(_ step: Fix.Step) -> String {
            let fix: Fix = "\(step)"
            return fix.worded(words).description
        }
        let pin = Pins.pin(1)
        #expect(text(.movePin(pin, from: .leaf, to: .ca)).hasPrefix("change its usage to 0 or 2"))
        #expect(text(.movePin(pin, from: .ca, to: .leaf)).hasPrefix("change its usage to 1 or 3"))
        #expect(text(.pin(pin, .leaf)) == "write the SPKI hash as 1 1 \(pin.digest.hex) after the usage")
        #expect(FormatAdvice.rightKind(pin).text(in: .tlsa).hasSuffix("as 1 1 \(pin.digest.hex) after the usage"))
    }

    /// The good and bad pins of the lab's chains, written in every format that can hold some of them and read again;
    /// and random profiles.
    @Test("no finding on a file of a format has another format's words", arguments: foreign)
    func findings(format: ProfileFormat) async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        var profiles = try Self.pinned(served)
        for seed in 1...16 as ClosedRange<UInt64> { profiles.append(try RandomProfile.make(seed: seed)) }
        var codes: Set<String> = []
        for profile in profiles {
            for host in [nil, try ServerName("good.test")] {
                guard let written = try? format.write(profile, host: host).bytes,
                    let imported = try? format.read(
                        written, FormatContext(path: "file", host: host, kind: format == .hex ? .spki : nil))
                else { continue }
                var read = imported.profile.withImpliedServices
                read.environments.append(
                    ProfileEnvironment(services: [
                        Service(name: "unlisted", target: try Target("deep.unlisted.test")),
                        Service(name: "served", target: try Target("good.test")),
                    ]))
                let labels = read.environments.flatMap { environment in environment.services.map(environment.label) }
                let facts = LintFacts(
                    chains: Dictionary(labels.map { ($0, served) }) { first, _ in first },
                    nextRelease: try RFC3339.parse("2026-12-01T00:00:00Z"), publicSuffixes: PublicSuffixList("test"))
                for instant in [Linted.now, "2031-01-01T00:00:00Z"] {
                    for finding in ProfileLint(read, facts: facts, format: format).findings(
                        at: try RFC3339.parse(instant))
                    {
                        codes.insert(finding.code)
                        let words = FormatWords.foreign("\(finding.message) \(finding.fix)", to: format)
                        #expect(words.isEmpty, "\(format) \(finding.code): \(finding.message) | \(finding.fix)")
                    }
                }
                let compiler = ProfileCompiler(
                    read, folder: "", settings: .init(anchors: TrustAnchors.none, format: format))
                for check in (try? compiler.checks().services) ?? [] {
                    for finding in check.demands.flatMap({
                        $0.judge(Evidence(connection: nil, model: nil), at: lab.pki.epoch)
                    }) {
                        #expect(FormatWords.foreign(finding.fix, to: format).isEmpty, "\(format): \(finding.fix)")
                    }
                }
            }
        }
        // Files of certificates and keys can't be written from pins.
        let holdsMaterial = [.pemCert, .derCert, .pemPubkey, .derPubkey].contains(format)
        #expect(holdsMaterial || codes.count > 4, "\(format): \(codes.sorted())")
        if [.apple, .android, .trustkit, .okhttp].contains(format) {
            #expect(codes.isSuperset(of: ["service-unlisted", "stale-pin", "no-pin-matches", "pin-kind-confusion"]))
        }
    }

    /// Pins of a chain's leaf, intermediate and root, of the wrong kind, and of nothing, by each platform's rules.
    private static func pinned(_ served: ConnectionEvidence) throws -> [Profile] {
        let path = served.indices(of: .validated).map { served.certificates[$0] }
        let digests = try path.map { try $0.digests.get() }
        let unknown = PinSet.Member(Pins.pin(1))
        let kinds = digests.map { PinSet.Member(Pin(kind: .spki, digest: $0.spki)) }
        let confused = PinSet.Member(Pin(kind: .spki, digest: digests[0].cert))
        let members: [[PinSet.Member]] = [
            [kinds[0]], [unknown], [kinds[0], unknown], [kinds[0], kinds[2]], [confused, unknown], [kinds[2], unknown],
        ]
        let last = try RFC3339.parse("2026-03-20T23:59:59Z")
        var profiles: [Profile] = []
        for semantics in HostSemantics.allCases {
            for members in members {
                for position in [PinPosition.leaf, .ca, .any] {
                    for expiry in [nil, PinGroup.Expiry(last: last, afterwards: .ignore)] {
                        let set = PinSet(members, position: position, expiry: expiry, isEnforced: expiry == nil)
                        let rule = try HostRule(
                            pattern: "good.test", semantics: semantics, includesSubdomains: semantics != .okhttp,
                            pins: [set])
                        profiles.append(Profile(unlistedHost: .system, hosts: [rule]))
                    }
                }
            }
        }
        return profiles
    }
}
