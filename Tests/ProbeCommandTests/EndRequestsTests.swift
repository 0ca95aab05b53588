import Testing

@testable import ProbeCommand

/// The signals that are one request to end, and those that are several.
@Suite struct EndRequestsTests {
    private let first = ContinuousClock.now

    private func numbers(after milliseconds: [Int]) -> [Int?] {
        var requests = EndRequests()
        return milliseconds.map { requests.request(of: 15, at: first + .milliseconds($0))?.number }
    }

    @Test("what follows the first signal within half a second is the same request") func oneRequest() {
        #expect(numbers(after: [0, 0, 3, 499]) == [1, nil, nil, nil])
    }

    @Test("each later signal is another request, however soon after the one before") func otherRequests() {
        #expect(numbers(after: [0, 500, 501]) == [1, 2, 3])
        #expect(numbers(after: [0, 2, 700]) == [1, nil, 2])
    }

    @Test("each request has the first one's signal", arguments: [(Int32(15), Int32(2)), (2, 15)])
    func firstSignal(_ one: Int32, _ other: Int32) {
        var requests = EndRequests()
        let signals = [(one, 0), (other, 100), (other, 700), (other, 800)].map { signal, milliseconds in
            requests.request(of: signal, at: first + .milliseconds(milliseconds))?.signal
        }
        #expect(signals == [one, nil, one, one])
    }
}
