import ProbeKit
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("21d", 21 * 86_400), ("12h", 43_200), ("30m", 1800), ("90s", 90), ("90", 90), ("0", 0),
        ("3650d", 3650 * 86_400),
    ]) func isRead(text: String, seconds: Int) throws {
        #expect(try DurationText.parse(text) == .seconds(seconds))
        #expect(try DurationText.parse(DurationText.format(.seconds(seconds))) == .seconds(seconds))
    }

    @Test(arguments: ["", "d", "1.5d", "-1d", "+1d", "1w", "1 d", "21D", "٣d", "3651d", "99999999999999999999d"])
    func isRefused(text: String) throws {
        let error = try #require(throws: InputError.self) { try DurationText.parse(text) }
        #expect(error.message.contains("'\(text)'"))
    }

    @Test(arguments: [
        (4 * 86_400, "4 days"), (86_400, "24 hours"), (2 * 86_400 - 1, "47 hours"), (7200, "2 hours"),
        (3600, "60 minutes"),
        (1, "1 second"), (0, "0 seconds"),
    ]) func words(seconds: Int, text: String) { #expect(DurationText.words(.seconds(seconds)) == text) }

    @Test(arguments: [
        (0, "less than a day"), (86_399, "less than a day"), (86_400, "1 day"), (172_799, "1 day"), (172_800, "2 days"),
    ]) func wholeDays(seconds: Int, text: String) {
        #expect(DurationText.days(Double(seconds)) == text)
        #expect(DurationText.days(-Double(seconds)) == text)
    }
}
