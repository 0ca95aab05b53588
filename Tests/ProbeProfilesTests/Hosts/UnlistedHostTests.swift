import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeProfiles
import ProbeRun
import Testing

/// A host that no rule lists is treated as its platform does: it connects, and no pin is checked.
@Suite struct UnlistedHostTests {
    /// Each platform's file has pins for `shop.test` and the names below it as far as it goes, and none for the host.
    private static let files: [(format: ProfileFormat, text: String, host: String, words: String)] = [
        (.apple, apple, "a.b.shop.test", "App Transport Security connects without pins"),
        (.android, android, "other.test", "Android connects without pins"),
        (.trustkit, trustKit, "other.test", "TrustKit connects without pins"),
        (.okhttp, "*.shop.test sha256/\(Samples.one)", "shop.test", "OkHttp connects without pins"),
    ]
    private static let apple = Samples.apple.replacing("lutheran.radio", with: "shop.test")
    private static let trustKit = Samples.trustKit.replacing("example.com", with: "shop.test")
    private static let android = Samples.android.replacing("Example.com.", with: "shop.test")

    private static func profile(_ format: ProfileFormat, _ text: String) throws -> Profile {
        try format.read(Array(text.utf8), FormatContext(path: "file")).profile
    }

    @Test(arguments: files) func checksWarn(format: ProfileFormat, text: String, host: String, words: String) throws {
        let compiler = ProfileCompiler(
            try Self.profile(format, text), folder: "", settings: .init(anchors: TrustAnchors.none, format: format))
        let check = try #require(try compiler.check(of: try Target(host)))
        let findings = check.demands.flatMap { $0.judge(Evidence(connection: nil, model: nil), at: .now) }
        #expect(findings.map(\.code) == ["host-not-listed"])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.first?.message.contains(words) == true, "\(findings)")
    }

    @Test("the rule that comes near is named") func nearRule() throws {
        let profile = try Self.profile(.apple, Self.apple)
        let check = try #require(
            try ProfileCompiler(profile, folder: "", settings: .init(anchors: TrustAnchors.none, format: .apple))
                .check(of: try Target("a.b.shop.test")))
        let finding = check.demands.flatMap { $0.judge(Evidence(connection: nil, model: nil), at: .now) }.first
        #expect(finding?.message.contains("the rule for 'shop.test' does not reach it") == true)
    }

    @Test(arguments: files) func lintAndForecastSayTheSame(
        format: ProfileFormat, text: String, host: String, words: String
    ) async throws {
        let lab = try LintChains()
        var profile = try Self.profile(format, text)
        profile.environments = [ProfileEnvironment(services: [Service(name: host, target: try Target(host))])]
        let lint = ProfileLint(profile, format: format).findings(at: lab.pki.epoch)
            .first { $0.code == "service-unlisted" }
        #expect(lint?.severity == .warning)
        #expect(lint?.message.contains(words) == true)
        let rows = ProfileForecast(profile, chains: [host: try await lab.served()]).rows(at: lab.pki.epoch)
        #expect(rows.map(\.result) == [.passesWithWarning])
        #expect(rows.first?.reason.contains(words) == true)
        #expect(ProfileForecast(profile).rows(at: lab.pki.epoch).isEmpty, "nothing was asked of it")
    }
}
