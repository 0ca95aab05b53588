import Foundation
import ProbeKit
import ProbeRun
import Testing

@Suite("for how long a success counts") struct CacheLifetimeTests {
    private let stamp = Date(timeIntervalSince1970: 1_795_000_000)

    private func counts(_ lifetime: CacheLifetime, after age: TimeInterval) -> Bool {
        lifetime.covers(stamp, at: stamp.addingTimeInterval(age))
    }

    @Test("[R23] a listed model counts for 3599 seconds, not for 3600") func model() {
        for age in [0, 1, 3599, 3599.999] as [TimeInterval] { #expect(counts(.model, after: age)) }
        for age in [3600, 3601, 1e12, .infinity] as [TimeInterval] { #expect(!counts(.model, after: age)) }
    }

    @Test("[R8] a connection counts for 599 seconds, not for 600") func pins() {
        #expect(counts(.pins, after: 599))
        #expect(!counts(.pins, after: 600))
    }

    @Test("[R33] what is from the future counts never, not even by a little") func future() {
        for age in [-0.001, -1, -3600, -1e12] as [TimeInterval] {
            #expect(!counts(.model, after: age) && !counts(.longest, after: age))
        }
        #expect(!CacheLifetime.model.covers(.distantFuture, at: stamp))
        #expect(!CacheLifetime.model.covers(Date(timeIntervalSince1970: .nan), at: stamp))
    }

    @Test("lifetimes are no second to a week, and in no second nothing counts") func limits() {
        #expect(CacheLifetime(0) == .never && CacheLifetime(604_800) == .longest)
        #expect(!counts(.never, after: 0))
        for seconds in [-1, 604_801, .max, .min] { #expect(CacheLifetime(seconds) == nil) }
    }
}
