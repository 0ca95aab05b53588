import Foundation
import ProbeKit
import ProbeLab
import Testing

@Suite struct RFC3339Tests {
    /// Foundation's own form, for instants of all years that it can be compared in.
    @Test func instantsAreWrittenAsFoundationWritesThem() {
        var numbers = SeededNumbers(seed: 3)
        let edges: [Double] = [
            0, -1, -0.5, 0.999, 951_782_399, 951_782_400, 4_107_542_399, 253_402_300_799, 253_402_300_799.9,
            253_402_300_800, -12_219_292_800,
        ]
        // From 1583 on; before, Foundation's calendar is Julian.
        let later = (0..<2000).map { _ in Double(numbers.below(265_600_000_000_000)) / 1000 - 12_212_553_600 }
        for seconds in edges + later {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(RFC3339.format(date) == date.formatted(Date.ISO8601FormatStyle()), "\(seconds)")
        }
    }

    /// Foundation's own reading, for the same.
    @Test func instantsAreReadAsFoundationReadsThem() throws {
        var numbers = SeededNumbers(seed: 4)
        let style = Date.ISO8601FormatStyle()
        for _ in 0..<2000 {
            let (year, month, day) = (1583 + numbers.below(8417), 1 + numbers.below(12), 1 + numbers.below(31))
            let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
            let time = [24, 60, 60].map { Self.digits(numbers.below($0), 2) }.joined(separator: ":")
            let zone = ["Z", "+00:00", "-03:30", "+14:00"][numbers.below(4)]
            let text = "\(date)T\(time)\(zone)"
            // Foundation takes the 31st of February for the 3rd of March.
            let expected = try style.parse(text)
            let exists = try style.parse("\(date)T00:00:00Z").formatted(style).hasPrefix(date)
            #expect((try? RFC3339.parse(text)) == (exists ? expected : nil), "\(text)")
        }
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    @Test(
        "forms of one instant",
        arguments: [
            "2026-07-27T00:00:00Z", "2026-07-27t00:00:00z", "2026-07-27T00:00:00.0Z", "2026-07-27T02:00:00+02:00",
            "2026-07-26T20:30:00-03:30", "2026-07-27T00:00:00-00:00", "2026-07-27T00:00:00.000000000000+00:00",
        ])
    func forms(text: String) throws {
        #expect(try RFC3339.parse(text) == Date(timeIntervalSince1970: 1_785_110_400))
    }

    @Test func fractions() throws {
        #expect(try RFC3339.parse("2026-07-27T00:00:00.25Z") == Date(timeIntervalSince1970: 1_785_110_400.25))
        #expect(try RFC3339.parse("1969-12-31T23:59:59.5Z") == Date(timeIntervalSince1970: -0.5))
    }

    @Test(
        "none is one",
        arguments: [
            "", "2026", "2026-07-27", "2026-07-27T00:00:00", "2026-07-27 00:00:00Z", "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-07-00T00:00:00Z", "2026-07-27T24:00:00Z", "2026-07-27T00:60:00Z", "2026-07-27T23:59:60Z",
            "2026-07-27T00:00Z", "2026-07-27T00:00:00.Z", "2026-07-27T00:00:00+0200", "2026-07-27T00:00:00+24:00",
            "2026-07-27T00:00:00+02:60", "2026-07-27T00:00:00+02", "2026-07-27T00:00:00ZZ", " 2026-07-27T00:00:00Z",
            "2026-07-27T00:00:00Z\n", "12026-07-27T00:00:00Z", "-026-07-27T00:00:00Z", "2026-7-27T00:00:00Z",
            "٢٠٢٦-07-27T00:00:00Z", "2026-07-27T00:00:00Ż",
        ])
    func refused(text: String) {
        let error = #expect(throws: InputError.self) { try RFC3339.parse(text) }
        #expect(error?.message.contains("is not an instant") == true)
    }

    /// RFC 3339 has years of four digits, and one calendar for all of them.
    @Test func firstAndLastYears() throws {
        for (text, seconds) in [
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("0000-02-29T12:00:00Z", -62_162_078_400),
            ("0001-01-01T00:00:00Z", -62_135_596_800), ("0200-02-02T00:00:00Z", -55_853_020_800),
            ("1500-03-01T00:00:00Z", -14_826_672_000), ("1969-12-31T23:59:59Z", -1),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Double)] {
            #expect(try RFC3339.parse(text).timeIntervalSince1970 == seconds, "\(text)")
            #expect(RFC3339.format(Date(timeIntervalSince1970: seconds)) == text)
        }
        for text in ["9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+00:01"] {
            #expect(throws: InputError.self) { try RFC3339.parse(text) }
        }
    }

    @Test func leapDays() throws {
        #expect(try RFC3339.parse("2000-02-29T00:00:00Z") == Date(timeIntervalSince1970: 951_782_400))
        #expect(try RFC3339.parse("2024-02-29T00:00:00Z") == Date(timeIntervalSince1970: 1_709_164_800))
    }
}
