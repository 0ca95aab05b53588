import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeScan

/// The places of a scan.
@Suite(.bounded) struct ScanSlotsTests {
    /// Places that are closed after a while, so that a test that waits for one in vain fails and does not hang.
    private func slots(width: Int, waitingLimit: Int) -> ScanSlots {
        let slots = ScanSlots(width: width, waitingLimit: waitingLimit, patience: .seconds(1))
        Task {
            try await Task.sleep(for: .seconds(600))
            slots.close()
        }
        return slots
    }

    @Test func aPlaceIsWaitedFor() async throws {
        let slots = self.slots(width: 2, waitingLimit: 1)
        let first = try #require(await slots.enter())
        _ = try #require(await slots.enter())
        let third = Task { await slots.enter() }
        try await Task.sleep(for: .milliseconds(50))
        #expect(slots.inFlight == 2)
        slots.leave(first)
        #expect(await third.value != nil)
        #expect(slots.inFlight == 2)
    }

    @Test func whoWaitsLongMakesRoomAndNoMoreThanMay() async throws {
        let slots = self.slots(width: 2, waitingLimit: 3)
        var tickets: [ScanSlots.Ticket] = []
        for _ in 0..<2 { tickets.append(try #require(await slots.enter())) }
        slots.makeRoom()
        let early = Task { await slots.enter() }
        try await Task.sleep(for: .milliseconds(50))
        #expect(slots.inFlight == 2, "it is too early")
        slots.makeRoom(at: .now + .seconds(2))
        tickets.append(try #require(await early.value))
        tickets.append(try #require(await slots.enter()))
        #expect(slots.inFlight == 4)
        // One more may wait like that, and not two.
        slots.makeRoom(at: .now + .seconds(4))
        tickets.append(try #require(await slots.enter()))
        #expect(slots.inFlight == 5)
        let late = Task { await slots.enter() }
        try await Task.sleep(for: .milliseconds(50))
        slots.makeRoom(at: .now + .seconds(60))
        #expect(slots.inFlight == 5)
        slots.leave(tickets[0])
        slots.makeRoom(at: .now + .seconds(60))
        tickets.append(try #require(await late.value))
        slots.end()
        for ticket in tickets.dropFirst() { slots.leave(ticket) }
        await slots.finished()
        #expect(slots.inFlight == 0)
    }

    @Test func theEndComesAfterWhatIsUnderWay() async throws {
        let slots = self.slots(width: 1, waitingLimit: 0)
        let ticket = try #require(await slots.enter())
        let waiting = Task { await slots.enter() }
        try await Task.sleep(for: .milliseconds(20))
        slots.close()
        #expect(await waiting.value == nil)
        let isOver = Mutex(false)
        let end = Task {
            await slots.finished()
            isOver.withLock { $0 = true }
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(!isOver.withLock { $0 })
        slots.leave(ticket)
        await end.value
    }
}
