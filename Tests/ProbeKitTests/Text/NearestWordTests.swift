import ProbeKit
import Testing

/// Hints have one form, wherever they are given.
@Suite struct NearestWordTests {
    private static let known = ["imap", "smtp", "sieve"]

    @Test(arguments: [("smpt", "smtp"), ("IMAP", "imap"), ("seive", "sieve")])
    func theNearestWordIsAskedAbout(word: String, meant: String) {
        #expect(NearestWord.question(for: word, among: Self.known) == "did you mean '\(meant)'?")
        #expect(NearestWord.hint(for: word, among: Self.known) == "did you mean '\(meant)'? ")
    }

    @Test func aWordThatIsFarFromAllHasNoHint() {
        #expect(NearestWord.question(for: "telnet", among: Self.known) == nil)
        #expect(NearestWord.hint(for: "telnet", among: Self.known) == "")
        #expect(NearestWord.hint(for: "smtp", among: [String]()) == "")
        #expect(NearestWord.question(for: "smpt", among: Self.known, within: 0) == nil)
    }

    @Test func severalWordsAreAlternatives() {
        #expect(NearestWord.question(about: ["imap", "smtp"]) == "did you mean 'imap' or 'smtp'?")
    }
}
