import Foundation
import Testing

@testable import ProbeKit
@testable import ProbeRun

@Suite struct RateLimiterTests {
    private let time = VirtualTime(epoch: Date(timeIntervalSince1970: 0))

    @Test("[R77] probes of one host are 100 ms apart or more") func oneHostIsSpaced() async {
        let limiter = RateLimiter(sleeper: time)
        var moments: [Duration] = []
        for _ in 0..<4 {
            await limiter.turn(for: "a.test")
            moments.append(time.elapsed)
        }
        #expect(moments == [0, 100, 200, 300].map { .milliseconds($0) })
    }

    @Test("[R77] hosts do not wait for each other") func hostsAreApart() async {
        let limiter = RateLimiter(spacing: .seconds(60), sleeper: time)
        for host in ["a.test", "b.test", "c.test"] { await limiter.turn(for: host) }
        #expect(time.elapsed == .zero)
    }

    @Test("[R77] of several hosts the one that is free last counts, for all of them") func severalHosts() async {
        let limiter = RateLimiter(sleeper: time)
        await limiter.turn(for: ["a.test"])
        await limiter.turn(for: ["a.test", "b.test"])
        #expect(time.elapsed == .milliseconds(100))
        await limiter.turn(for: "b.test")
        #expect(time.elapsed == .milliseconds(200))
    }

    @Test("[R77] whoever comes late enough waits for nobody") func timePassesAnyway() async throws {
        let limiter = RateLimiter(sleeper: time)
        await limiter.turn(for: "a.test")
        try await time.sleep(until: time.now + .seconds(1))
        await limiter.turn(for: "a.test")
        #expect(time.elapsed == .seconds(1))
    }

    @Test func aLongListOfHostsCostsNoMemory() async throws {
        let limiter = RateLimiter(spacing: .milliseconds(1), sleeper: time)
        for number in 0..<10_000 {
            await limiter.turn(for: "\(number).test")
            try await time.sleep(until: time.now + .milliseconds(1))
        }
        #expect(await limiter.remembered <= 1024)
    }

    @Test("[R77] all at once are spaced too") func manyAtOnce() async {
        let limiter = RateLimiter(spacing: .milliseconds(20))
        let start = ContinuousClock.now
        let moments = await Concurrently.map(Array(0..<5)) { _ in
            await limiter.turn(for: "a.test")
            return start.duration(to: .now)
        }.sorted()
        for (index, moment) in moments.enumerated() { #expect(moment >= .milliseconds(20 * index)) }
    }
}
