import Foundation
import ProbeKit
import Testing

@Suite("[R13] how far our clock is from the server's") struct ServerTimeTests {
    private let now = Date(timeIntervalSince1970: 1_793_534_400)

    private func time(_ dates: [String], age: [String] = [], at instant: Date? = nil) -> ServerTime {
        let response = HTTPReport.Response(version: "h2", status: 200, date: dates, age: age)
        return ServerTime(HTTPReport(.response(response)), at: instant ?? now)
    }

    private func date(_ seconds: Int) -> String { HTTPDate.format(now.addingTimeInterval(TimeInterval(seconds))) }

    @Test(arguments: [0, 1, -1, 300, -301, 86_400]) func aheadIsPositive(_ skew: Int) {
        #expect(time([date(-skew)]) == .known(now.addingTimeInterval(TimeInterval(-skew)), skew: skew))
    }

    /// A server's second is as long as ours: the fraction of our clock does not count as skew.
    @Test func fractionsAreCut() {
        #expect(time([date(0)], at: now.addingTimeInterval(0.999)) == .known(now, skew: 0))
        #expect(time([date(0)], at: now.addingTimeInterval(300.999)) == .known(now, skew: 300))
    }

    /// RFC 9111 section 5.1 (decided: missing-date).
    @Test func ageIsAdded() {
        #expect(time([date(-1000)], age: ["1000"]) == .known(now, skew: 0))
        #expect(time([date(0)], age: ["0"]) == .known(now, skew: 0))
        #expect(time([date(0)], age: ["60"]) == .known(now.addingTimeInterval(60), skew: -60))
    }

    @Test(arguments: [
        ["-1"], [""], ["1.5"], ["soon"], ["1", "1"], ["1 1"], ["٣"], ["99999999999999999999"], ["2147483649"],
    ])
    func anAgeThatIsNoneSpoilsTheDate(_ age: [String]) {
        guard case .unknown(let reason) = time([date(0)], age: age) else {
            Issue.record("a time with the Age \(age)")
            return
        }
        #expect(reason.contains("Age"))
    }

    /// RFC 9110 section 5.5: some stacks take them away, some do not.
    @Test func blanksAroundAFieldAreNoneOfIt() {
        #expect(time([" \(date(0)) \t"], age: ["\t0 "]) == .known(now, skew: 0))
        #expect(time(["\u{a0}\(date(0))"]) != .known(now, skew: 0))
    }

    @Test func whatIsMissingBrokenOrTwiceIsUnknown() {
        #expect(time([]) == .unknown("the HTTP response has no Date"))
        for dates in [["yesterday"], [date(0), date(0)], [""]] {
            guard case .unknown = time(dates) else {
                Issue.record("a time of \(dates)")
                continue
            }
        }
        #expect(
            ServerTime(HTTPReport(.unavailable(reason: "it slept")), at: now)
                == .unknown("there was no HTTP response: it slept"))
    }

    /// A hostile server's values are cut to the size that a report can hold.
    @Test func valuesAreBounded() {
        let response = HTTPReport.Response(
            version: "h2", status: 200, date: Array(repeating: String(repeating: "x", count: 100_000), count: 1000))
        #expect(response.date.count == 4)
        #expect(response.date.allSatisfy { $0.count == 100 })
    }
}
