import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// The tries of a walk over servers: when the next one begins, and when none does.
@Suite(.bounded) struct DNSTriesTests {
    private static func tries(
        _ servers: [Int], tries: Int = 1, deadline: Deadline = .after(.seconds(3600))
    ) throws -> DNSTries<Int> {
        DNSTries(servers, DNSQuery(name: try DNSName("models.test"), servers: [], tries: tries, deadline: deadline))
    }

    private static func attempt(_ failure: DNSFailure) -> DNSAttempt {
        .unsent(to: "192.0.2.1:53", over: .udp, ednsSize: nil, failure: failure, duration: .zero)
    }

    /// However far the deadline is, a silent server holds up the next one for as long as resolv.conf(5) has by default.
    @Test func theNextTryBeginsAfterFiveSeconds() throws {
        let tries = try Self.tries([1, 2, 3])
        let first = try #require(tries.next())
        #expect(first.number == 0 && first.server == 1 && first.share == .seconds(5))
        #expect(tries.next()?.server == nil, "its time has not passed")
        tries.timePassed(of: 0)
        #expect(try #require(tries.next()).share == .seconds(5))
        tries.timePassed(of: 1)
        let last = try #require(tries.next())
        #expect(last.server == 3 && last.share == nil, "nothing follows")
        tries.timePassed(of: 2)
        #expect(tries.next()?.server == nil)
        #expect(tries.isUnderWay && !tries.isAnswered)
    }

    @Test func lessTimeIsSharedEvenly() throws {
        // A thousand tries in an hour.
        let share = try #require(try Self.tries(Array(0..<100), tries: 10).next()?.share)
        #expect(share <= .milliseconds(3600) && share > .seconds(1))
    }

    /// Rounds follow each other, and the time of an older try lets nothing begin.
    @Test func roundsFollowEachOther() throws {
        let tries = try Self.tries([1, 2], tries: 2)
        var asked: [Int] = []
        while let next = tries.next() {
            asked.append(next.server)
            tries.timePassed(of: next.number - 1)
            #expect(tries.next()?.server == nil)
            tries.timePassed(of: next.number)
        }
        #expect(asked == [1, 2, 1, 2])
    }

    /// A query whose time is over is tried once, so that a report says at which server.
    @Test func afterTheDeadlineOnlyTheFirstTryBegins() throws {
        let tries = try Self.tries([1, 2], deadline: .after(.zero))
        #expect(tries.next()?.server == 1)
        tries.end(0, with: [Self.attempt(DNSFailure(.timeout, "no answer"))])
        #expect(tries.next()?.server == nil)
    }

    @Test func aCancelledTaskBeginsNone() async throws {
        let begins = try await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try Self.tries([1]).next() != nil
        }.value
        #expect(!begins)
    }

    /// The exchange of a batch is a try like any other: silence leaves the others, a refusal leaves out its server, and all are
    /// in the report.
    @Test(arguments: [(DNSFailure.late, [2, 1, 2]), (DNSFailure(.badQuery, "it is too long"), [2, 2])])
    func aTryThatIsOverIsTheFirst(failure: DNSFailure, servers: [Int]) throws {
        let query = DNSQuery(
            name: try DNSName("models.test"), servers: [], tries: 2, deadline: .after(.seconds(3600)))
        let tries = DNSTries([1, 2], query, after: [Self.attempt(failure)])
        var asked: [Int] = []
        while let next = tries.next() {
            asked.append(next.server)
            tries.end(next.number, with: [Self.attempt(.late)])
        }
        #expect(asked == servers)
        #expect(tries.report().attempts.count == servers.count + 1)
        #expect(tries.report().attempts.first?.failure == failure)
    }

    @Test func aServerThatRefusesTheQueryIsLeftOut() throws {
        let tries = try Self.tries([1, 2], tries: 2)
        _ = tries.next()
        tries.end(0, with: [Self.attempt(DNSFailure(.badQuery, "it is too long"))])
        var asked: [Int] = []
        while let next = tries.next() {
            asked.append(next.server)
            tries.timePassed(of: next.number)
        }
        #expect(asked == [2, 2])
    }
}
