import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// A reader's note has a remedy of its own where another file would not help.
@Suite(.bounded) struct NoteAdviceTests {
    private static func fixes(_ format: ProfileFormat, _ text: String, host: String? = nil) throws -> [String: String] {
        let imported = try format.read(
            Array(text.utf8), FormatContext(path: "f", host: try host.map { try ServerName($0) }))
        return Dictionary(imported.notes.map(LintFinding.init).map { ($0.code, $0.fix) }) { first, _ in first }
    }

    @Test func whatNoFileChanges() throws {
        let pins = "pin-sha256=\"\(Samples.one)\"; pin-sha256=\"\(Samples.two)\""
        let header = "Public-Key-Pins: \(pins); max-age=100; report-uri=\"https://a.test/\"; includeSubDomains; foo"
        let fixes = try Self.fixes(.hpkp, header)
        #expect(fixes["max-age"] == "nothing to do" && fixes["report-uri"] == "nothing to do", "\(fixes)")
        #expect(fixes["subdomains"] == "name HOST as a host", "\(fixes)")
        #expect(fixes["unknown-directive"] == "change the file if this is not intended", "\(fixes)")
        #expect(try Self.fixes(.hpkp, header, host: "a.test")["subdomains"] == nil)
    }

    @Test func signaturesNeedAKey() throws {
        #expect(
            try Self.fixes(.wultra, Samples.wultra)["signature"] == "give the key with which the list's server signs")
    }

    @Test func recordsOfDANE() throws {
        let digest = String(repeating: "0f", count: 32)
        let fixes = try Self.fixes(.tlsa, "3 1 1 \(digest)\n3 1 2 \(digest)\(digest)")
        #expect(fixes["dane-ee"] == "nothing to do", "\(fixes)")
        #expect(fixes["sha512"]?.hasPrefix("publish a record of SHA-256") == true, "\(fixes)")
        #expect(
            try Self.fixes(.tlsa, "2 1 1 \(digest)")["dane-ta"] == "give the CA as an anchor where a chain is judged")
    }
}
