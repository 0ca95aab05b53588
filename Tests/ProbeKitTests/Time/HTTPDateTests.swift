import Foundation
import ProbeKit
import Testing

@Suite("[R13] what a Date field says") struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_793_534_400)

    /// The three forms of RFC 9110 section 5.6.7, on its own example.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func allThreeFormsAreRead(_ text: String) {
        #expect(HTTPDate.parse(text, now: now) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(arguments: [
        "", "yesterday", "0", "784111777", "2026-11-01T12:00:00Z", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, x", "sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 11994 08:49:37 GMT",
    ])
    func nothingElseIs(_ text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    /// A year of two digits is never more than 50 years ahead.
    @Test(arguments: [("26", "2026"), ("76", "2076"), ("77", "1977"), ("99", "1999"), ("00", "2000")])
    func centuriesAreChosen(year: String, full: String) throws {
        #expect(
            HTTPDate.parse("Monday, 01-Jan-\(year) 00:00:00 GMT", now: now)
                == (try RFC3339.parse("\(full)-01-01T00:00:00Z")))
    }

    @Test(arguments: [0, 784_111_777, 951_782_400, 1_793_534_400, 4_102_444_799, -1])
    func whatIsWrittenIsRead(_ seconds: Int) {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        #expect(HTTPDate.parse(HTTPDate.format(date), now: now) == date)
    }

    @Test func writtenAsTheStandardDoes() {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.format(Date(timeIntervalSince1970: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
    }
}
