import Foundation
import ProbeKit
import ProbeNet
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeScan

/// A process that is short of time says so, and nothing about servers.
@Suite(.bounded) struct ScanOverloadTests {
    private func probe(
        _ transport: any Transport, losing lost: [Duration], pauses: Pauses = Pauses(), retries: Int = 0
    ) -> ScanProbe {
        var probe = ScanProbe(
            prober: Prober(lateness: GivenLateness(lost)), transports: [transport], retries: retries,
            isClosed: { false },
            check: { target, _ in Check(target: target.target, anchors: .none, timeout: .seconds(10)) })
        probe.pause = { attempt in pauses.attempts.withLock { $0.append(attempt) } }
        return probe
    }

    private func target() throws -> ScanTarget { ScanTarget(target: try Target("127.0.0.1")) }

    @Test func aServerIsNotBlamedForTimeThatWeLost() async throws {
        let transport = FailingTransport(.handshakeTimeout)
        let found = try #require(
            await probe(transport, losing: [.seconds(3), .seconds(4), .seconds(5)], retries: 2).lines(of: try target()))
        #expect(found.outcomes == [.localOverload])
        #expect(transport.count.withLock { $0 } == 3 && found.texts[0].contains("\"tries\":3"))
        #expect(found.texts[0].contains("\"code\":\"local-overload\""))
        #expect(Outcome.localOverload.exitCode == Outcome.unsupported.exitCode)
    }

    @Test func theTargetIsAskedAgain() async throws {
        let transport = FailingTransport(.connectTimeout)
        let pauses = Pauses()
        let found = try #require(
            await probe(transport, losing: [.seconds(9), .zero], pauses: pauses).lines(of: try target()))
        #expect(found.outcomes == [.unreachable], "nothing was lost the second time")
        #expect(transport.count.withLock { $0 } == 2)
        #expect(found.texts[0].contains("\"tries\":2"))
        #expect(pauses.attempts.withLock { $0 } == [1])
    }

    @Test(arguments: [
        (HandshakeFailure.Code.connectTimeout, 2.4, Outcome.unreachable), (.connectTimeout, 2.6, .localOverload),
        (.connectionReset, 2.6, .localOverload), (.connectionRefused, 9, .unreachable),
        (.alertReceived, 9, .handshakeFailed), (.protocolError, 9, .handshakeFailed),
    ])
    func onlyWhatLatenessBringsAboutAndOnlyWhereItWasMuch(
        code: HandshakeFailure.Code, lost: Double, outcome: Outcome
    ) async throws {
        let times = [Duration](repeating: .seconds(lost), count: 3)
        let found = try #require(await probe(FailingTransport(code), losing: times).lines(of: try target()))
        #expect(found.outcomes == [outcome])
    }

    @Test func aLateProcessWorksOnFewerAndGivesNoPlaceAway() async throws {
        let slots = ScanSlots(width: 32, waitingLimit: 8, patience: .zero, startingWith: 4)
        let start = ContinuousClock.now
        for _ in 0..<4 { _ = await slots.enter() }
        slots.adapt(to: .milliseconds(60), at: start)
        #expect(slots.currentWidth == 4 && slots.inFlight == 4)
        slots.adapt(to: .milliseconds(150), at: start + .seconds(1))
        #expect(slots.currentWidth == 2)
        slots.adapt(to: .milliseconds(150), at: start + .seconds(1.1))
        #expect(slots.currentWidth == 2, "the change has not shown yet")
        slots.adapt(to: .milliseconds(150), at: start + .seconds(2))
        slots.adapt(to: .milliseconds(150), at: start + .seconds(3))
        #expect(slots.currentWidth == 1)
        // Nobody made room so far; now all four do, and there is a place.
        slots.adapt(to: .zero, at: start + .seconds(4))
        #expect(await slots.enter() != nil)
    }

    @Test func oneThatIsNotLateWorksOnMore() async throws {
        let slots = ScanSlots(width: 32, waitingLimit: 0, patience: .seconds(600), startingWith: 4)
        for width in [8, 16, 32, 32] {
            while slots.inFlight < slots.currentWidth { _ = await slots.enter() }
            slots.adapt(to: .zero)
            #expect(slots.currentWidth == width)
        }
    }

    /// The meter itself: an event loop that stands still is late, and so is all that waits for it.
    @Test func aLoopThatStandsStillIsLostTime() async throws {
        let (_, lost) = await ProcessLateness.shared.measure {
            try? await Task.sleep(for: .milliseconds(50))
            await StandingLoop.stand(for: 0.5)
        }
        #expect(lost > .milliseconds(350))
    }
}

/// The pauses that were made.
private final class Pauses: Sendable {
    let attempts = Mutex<[Int]>([])
}

extension ScanSlots {
    /// The number of targets that are worked on at once now.
    fileprivate var currentWidth: Int { state.withLock { $0.width } }
}
