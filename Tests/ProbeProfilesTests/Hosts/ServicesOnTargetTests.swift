import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

/// The services that a target of the command line is one of: files of pins have ports and no protocols.
@Suite(.bounded) struct ServicesOnTargetTests {
    private static func services(_ urls: String...) throws -> [Check] {
        let services = urls.enumerated().map { "s\($0): {url: \"\($1)\", pins: [{anyOf: [\"\(Pins.text(1))\"]}]}" }
        let profile = try ProfileFile.parse(
            "profile: 1\nservices: {\(services.joined(separator: ", "))}", from: "app.yaml")
        return try ProfileCompiler(profile, folder: "", settings: .init(anchors: TrustAnchors.none)).checks().services
    }

    @Test(
        arguments: [
            ("a.test:25", "smtp://a.test", "smtp://a.test:25"), ("smtp://a.test", "a.test:25", "smtp://a.test:25"),
            ("a.test:25", "a.test:25", "a.test:25"), ("a.test:2525", "lmtp://a.test:2525", "lmtp://a.test:2525"),
            ("a.test:25", "imap://a.test", nil), ("smtp://a.test", "lmtp://a.test:25", nil),
            ("a.test:25", "smtp://b.test", nil), ("a.test:25", "a.test:443", nil),
            ("[fe80::1%lo]:25", "[fe80::1%eth0]:25", nil),
            ("[fe80::1%lo]:25", "smtp://[fe80::1%lo]", "smtp://[fe80::1%lo]:25"),
        ] as [(String, String, String?)])
    func protocols(service: String, target: String, dialled: String?) throws {
        let found = try Self.services(service).services(on: try Target(target))
        #expect(found.map(\.target.description) == [dialled].compactMap(\.self))
        #expect(found.allSatisfy { $0.service == "s0" && $0.pins.flatMap(\.pins) == [Pins.pin(1)] })
    }

    @Test func theProtocolThatIsStatedChooses() throws {
        let services = try Self.services("a.test:25", "smtp://a.test", "lmtp://a.test:25")
        #expect(services.services(on: try Target("smtp://a.test")).map(\.service) == ["s1"])
        #expect(services.services(on: try Target("a.test:25")).map(\.service) == ["s0"])
        #expect(services.services(on: try Target("imap://a.test:25")).map(\.service) == ["s0"])
    }
}
