import Testing

@testable import ProbeCommand

/// The signals that are one request to end, and those that are several.
@Suite struct EndRequestsTests {
    private let first = ContinuousClock.now

    private func numbers(after milliseconds: [Int]) -> [Int?] {
        var requests = EndRequests()
        return milliseconds.map { requests.number(ofSignalAt: first + .milliseconds($0)) }
    }

    @Test("what follows the first signal within half a second is the same request") func oneRequest() {
        #expect(numbers(after: [0, 0, 3, 499]) == [1, nil, nil, nil])
    }

    @Test("each later signal is another request, however soon after the one before") func otherRequests() {
        #expect(numbers(after: [0, 500, 501]) == [1, 2, 3])
        #expect(numbers(after: [0, 2, 700]) == [1, nil, 2])
    }
}
