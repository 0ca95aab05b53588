import Foundation
import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Nothing is lost silently: a profile read, written and read again is the same, or the losses name the differences.
@Suite(.bounded) struct RoundTripTests {
    private static let seeds: ClosedRange<UInt64> = 1...60

    @Test("[R96, R97, R98, R104] what the native format writes, it reads", arguments: seeds)
    func native(seed: UInt64) throws {
        let profile = try RandomProfile.make(seed: seed)
        let yaml = try ProfileFormat.nativeYAML.write(profile)
        #expect(yaml.losses.isEmpty)
        #expect(ProfileFormat.detect(yaml.bytes) == .nativeYAML)
        #expect(try read(yaml, .nativeYAML).profile == profile, "\(String(decoding: yaml.bytes, as: UTF8.self))")
        // Its services are in the order of their names, which JSON keeps.
        let json = try ProfileFormat.nativeJSON.write(profile)
        #expect(json.losses.isEmpty)
        #expect(ProfileFormat.detect(json.bytes) == .nativeJSON)
        #expect(try read(json, .nativeJSON).profile == profile, "\(String(decoding: json.bytes, as: UTF8.self))")
        #expect(try ProfileFormat.nativeYAML.write(profile) == yaml)
    }

    @Test func jsonSaysThatItSorts() throws {
        let services = try ["b", "a"].map { Service(name: $0, target: try Target("\($0).test")) }
        let written = try ProfileFormat.nativeJSON.write(
            Profile(environments: [ProfileEnvironment(services: services)]))
        #expect(written.losses.map(\.code) == ["order"])
    }

    /// If a format's result differs from the profile, there is a loss; and a result of the format goes through it again
    /// unchanged.
    @Test("[R4, R58, R100] every format says what it loses", arguments: ProfileFormat.allCases.filter { !$0.isNative })
    func foreign(format: ProfileFormat) throws {
        var written = 0
        for seed in Self.seeds {
            let profile = try RandomProfile.make(seed: seed)
            for host in [nil, try ServerName("example.com")] {
                guard let first = try? format.write(profile, host: host) else { continue }
                written += 1
                // TrustKit would not start with these, and so its reader refuses them.
                if first.losses.contains(where: { $0.code == "too-few-pins" }) { continue }
                let text = String(decoding: first.bytes, as: UTF8.self)
                let once = try read(first, format, host: host).profile
                let drifts = ProfileDiff(.init(profile, format: .nativeYAML), .init(once, format: .nativeYAML)).drifts()
                // With a host, the others were left out as asked; and a list of pins has no hosts. If all pins of a set
                // expire on one day, the set does, which then fails.
                let alike: Set = format == .wultra ? ["unlisted-host", "expiry", "pin-expiry"] : ["unlisted-host"]
                for drift in drifts where host == nil && !alike.contains(drift.code) {
                    var codes = try #require(Self.reasons[drift.code]).union(Self.reasonsOfWiderRules)
                    // Lists of wultra hold for all hosts, whichever they were written for.
                    if drift.subject == "every host" { codes.formUnion(["host", "every-host"]) }
                    #expect(
                        first.losses.contains { codes.contains($0.code) },
                        "seed \(seed): \(drift)\n\(first.losses)\n\(text)")
                }
                let second = try format.write(once, host: host)
                let twice = try read(second, format, host: host).profile
                #expect(twice == once, "seed \(seed)\n\(text)")
                let again = Set(second.losses.map(\.code)).subtracting([
                    "signature", "host", "too-few-pins", "subdomains", "public-suffix",
                ])
                #expect(again.isEmpty, "seed \(seed): \(second.losses)\n\(text)")
            }
        }
        let holdsMaterial = [.pemCert, .derCert, .pemPubkey, .derPubkey].contains(format)
        #expect(holdsMaterial ? written == 0 : written > 5, "\(written)")
    }

    /// The losses that a difference can come from.
    private static let reasons: [String: Set<String>] = [
        "host": ["every-host", "unpinned", "exemption", "host", "environment", "address"],
        "pins": ["kind", "group", "report-only", "merged", "environment"],
        "subdomains": ["subdomains", "host", "merged"],
        "position": ["position", "group", "report-only", "kind", "merged"],
        // Rules that no longer differ in these become one set.
        "groups": ["group", "kind", "report-only", "merged", "position", "expiry", "pin-expiry", "chain", "window"],
        "expiry": ["expiry", "group", "report-only", "merged", "kind"],
        "pin-expiry": ["pin-expiry", "expiry", "group", "report-only", "merged", "kind"],
        "enforcement": ["report-only", "group", "merged", "kind"],
        "chain": ["chain", "group", "report-only", "merged", "kind"],
        "window": ["window", "group", "report-only", "merged", "kind"],
    ]

    /// The losses of rules for wider names, which show at the names below them.
    private static let reasonsOfWiderRules: Set<String> = ["overlap", "subdomains", "unpinned", "exemption"]

    /// Typical files, each read, written and read again.
    @Test(
        "[R2, R4, R102] files of every format come back as they were",
        arguments: [
            (.apple, Samples.apple), (.android, Samples.android), (.trustkit, Samples.trustKit),
            (.okhttp, Samples.okHttpLines), (.okhttp, Samples.okHttpKotlin), (.curl, Samples.curl),
            (.hpkp, Samples.hpkp), (.hpkp, Samples.gnutls), (.certColon, Samples.fingerprint), (.hex, Samples.hex),
            (.rawkeyHex, Samples.rawKeys), (.spkiBase64, Samples.base64), (.tlsa, Samples.zone),
            (.wultra, Samples.wultra), (.pemCert, KnownRoot.digiCert.pem),
        ] as [(ProfileFormat, String)])
    func samples(format: ProfileFormat, text: String) throws {
        if format != .spkiBase64 { #expect(ProfileFormat.detect(Array(text.utf8)) == format) }
        for host in [nil, try ServerName("api.example.com")] {
            let context = FormatContext(path: "sample", host: host)
            let first = try format.read(Array(text.utf8), context)
            let written = try format.write(first.profile, material: first.material)
            let second = try format.read(written.bytes, context)
            #expect(second.profile == first.profile)
            let told = Set(written.losses.map(\.code)).subtracting(["signature", "host"])
            #expect(told.isEmpty, "\(written.losses)")
            // Our own format holds all of it.
            let native = try ProfileFormat.nativeYAML.write(first.profile)
            #expect(try read(native, .nativeYAML).profile == first.profile)
        }
    }

    private func read(_ exported: Exported, _ format: ProfileFormat, host: ServerName? = nil) throws -> Imported {
        try format.read(exported.bytes, FormatContext(path: "written", host: host))
    }
}
