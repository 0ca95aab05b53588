import ProbeKit
import Testing

@Suite struct PrintableTextTests {
    /// A certificate's name must not clear a screen, forge a line or turn text around.
    @Test func controlCharactersAreEscaped() {
        #expect(PrintableText.escape("evil\u{1b}[2Jpass\nok") == "evil\\u{1b}[2Jpass\\u{a}ok")
        #expect(PrintableText.escape("a\u{202e}b\u{0}") == "a\\u{202e}b\\u{0}")
        #expect(PrintableText.escape("CN=Überprüfung, O=株式会社") == "CN=Überprüfung, O=株式会社")
    }

    @Test func aCutIsMarkedAndBreaksNoCharacter() {
        #expect(PrintableText.cut("é", to: 2) == "é")
        #expect(PrintableText.cut("aéé", to: 4) == "aé…")
        #expect(PrintableText.cut("abc", to: 2) == "ab…")
    }

    @Test func findingsQuoteNothingRaw() {
        let finding = Finding.warning("w", stage: .trust, "'CN=\u{1b}[31m'", fix: "look\nhere")
        #expect(finding.message == "'CN=\\u{1b}[31m'")
        #expect(finding.fix == "look\\u{a}here")
    }
}
