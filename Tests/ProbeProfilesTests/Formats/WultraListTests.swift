import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeTrust
import Testing

/// A list for several common names says of each what its certificate is.
@Suite struct WultraListTests {
    private static func profile() throws -> Profile {
        let entries = [("api.a.test", UInt8(1), 1_830_000_000), ("www.a.test", 2, 1_890_000_000)].map {
            name, byte, end in
            "{\"name\": \"\(name)\", \"fingerprint\": \"\(Pins.pin(byte, .cert).digest.base64)\", \"expires\": \(end)}"
        }
        let text = "{\"fingerprints\": [\(entries.joined(separator: ", "))]}"
        return try ProfileFormat.wultra.read(Array(text.utf8), FormatContext(path: "list.json")).profile
    }

    private static func pins(of name: String) throws -> [PinGroup] {
        let settings = ProfileCompiler.Settings(anchors: TrustAnchors(name: "test", certificates: [[1]]))
        let compiler = ProfileCompiler(try profile(), folder: "", settings: settings)
        return try #require(try compiler.check(of: Target(name: try ServerName(name)))).pins
    }

    /// The leaf's common name may be another one than the host's, even than that of a host that is listed.
    @Test(arguments: ["api.a.test", "www.a.test", "other.a.test"]) func verdictsAreByTheWholeList(host: String) throws {
        #expect(try Self.pins(of: host).map(\.pins) == [[Pins.pin(1, .cert), Pins.pin(2, .cert)]])
    }

    @Test func eachNameNeedsABackup() throws {
        let findings = ProfileLint(try Self.profile()).findings(at: try RFC3339.parse(Linted.now))
        #expect(findings.count { $0.code == "single-certificate-pin" } == 2, "\(findings.map(\.code))")
    }
}
