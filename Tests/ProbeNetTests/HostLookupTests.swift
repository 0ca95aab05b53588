import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeNet

/// Name lookups that block, and the probes that wait for them.
@Suite(.bounded) struct HostLookupTests {
    /// A system that finds every name at 127.0.0.1, those below `slow.test` only when it is let go.
    private final class FakeSystem: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let names = Mutex<[String]>([])

        var asked: [String] { names.withLock { $0 } }

        var blocking: HostLookup.Blocking {
            { name in
                self.names.withLock { $0.append(name) }
                if name.hasSuffix("slow.test") { self.gate.wait() }
                return .success([.loopback4])
            }
        }

        /// Waits until so many names were asked for, but not indefinitely.
        func isAsked(atLeast count: Int) async throws -> Bool {
            let limit = ContinuousClock.now + .seconds(1500)
            while asked.count < count, .now < limit { try await Task.sleep(for: .milliseconds(5)) }
            return asked.count >= count
        }

        func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }
    }

    /// The answers to calls that are registered when `find` returns, while a task registers its call some time later.
    private final class Answers: Sendable {
        private let (results, arrivals) = AsyncStream.makeStream(of: Result<[IPAddress], LookupFailure>.self)

        func find(_ name: String, in lookup: HostLookup) {
            lookup.find(name, by: .after(.seconds(1800))) { [arrivals] in arrivals.yield($0) }
        }

        /// Waits for so many further answers.
        func next(_ count: Int) async -> [Result<[IPAddress], LookupFailure>] {
            await results.prefix(count).reduce(into: []) { $0.append($1) }
        }
    }

    @Test("names whose servers are silent do not delay others") func slowNamesDelayNobody() async throws {
        let system = FakeSystem()
        let lookup = HostLookup(system.blocking)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let found = await lookup.addresses(of: "\(index).slow.test", by: .after(.seconds(1800)))
                    #expect(found == .success([.loopback4]))
                }
            }
            let isBusy = try? await system.isAsked(atLeast: 50)
            #expect(isBusy == true)
            // The slow ones are let go only after these.
            for index in 0..<50 {
                let found = await lookup.addresses(of: "\(index).fast.test", by: .after(.seconds(600)))
                #expect(found == .success([.loopback4]))
                if case .failure = found { break }
            }
            system.letGo(50)
        }
    }

    @Test func aProbeOfAnotherNameGoesOn() async throws {
        let system = FakeSystem()
        let lookup = HostLookup(system.blocking)
        try await LabServer.run(.silent, pki: LabPKI(epoch: .now)) { server in
            func probe(_ name: String, within limit: Duration) async throws -> HandshakeReport {
                let endpoint = Endpoint(host: try ServerName(name), port: server.endpoint.port)
                let request = HandshakeRequest(
                    endpoint: endpoint, serverName: endpoint.host, anchors: .none, instant: .now,
                    deadline: .after(limit))
                return await HandshakeDriver.run(request, over: ProbeNetwork(lookup: lookup)) {
                    _ throws(HandshakeFailure) in throw HandshakeFailure(.unsupported, "")
                }
            }
            // More than there are event loops, so that each has one that waits.
            async let slow = withThrowingTaskGroup(of: HandshakeFailure.Code?.self) { group in
                for index in 0..<40 {
                    group.addTask { try await probe("\(index).slow.test", within: .seconds(1800)).failure?.code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(try await system.isAsked(atLeast: 40))
            for index in 0..<10 {
                // The engine's refusal comes after the connection: the name was found and dialled.
                #expect(try await probe("\(index).fast.test", within: .seconds(600)).failure?.code == .unsupported)
            }
            system.letGo(40)
            let codes = try await slow
            #expect(codes == Array(repeating: .unsupported, count: 40))
        }
    }

    @Test func threadsAreBoundedAndTheQueueIsInOrder() async throws {
        let system = FakeSystem()
        let lookup = HostLookup(atMost: 2, system.blocking)
        let (slow, fast) = (Answers(), Answers())
        for name in ["a.slow.test", "b.slow.test"] { slow.find(name, in: lookup) }
        #expect(try await system.isAsked(atLeast: 2))
        for name in ["c.fast.test", "d.fast.test"] { fast.find(name, in: lookup) }
        #expect(Set(system.asked) == ["a.slow.test", "b.slow.test"] && system.asked.count == 2)
        // The thread that is let go looks up both fast names, one after the other; the other one still waits.
        system.letGo(1)
        #expect(await fast.next(2) == [.success([.loopback4]), .success([.loopback4])])
        #expect(system.asked.dropFirst(2) == ["c.fast.test", "d.fast.test"])
        system.letGo(1)
        #expect(await slow.next(2) == [.success([.loopback4]), .success([.loopback4])])
    }

    @Test func overlappingCallsShareALookup() async {
        let system = FakeSystem()
        let lookup = HostLookup(system.blocking)
        let answers = Answers()
        for _ in 0..<4 { answers.find("slow.test", in: lookup) }
        system.letGo(1)
        #expect(await answers.next(4) == Array(repeating: .success([.loopback4]), count: 4))
        #expect(system.asked == ["slow.test"])
    }

    @Test func whatNobodyWaitsForAnyMoreIsLeftOut() async throws {
        let system = FakeSystem()
        let lookup = HostLookup(atMost: 1, system.blocking)
        let blocked = Task { await lookup.addresses(of: "slow.test", by: .after(.seconds(1800))) }
        #expect(try await system.isAsked(atLeast: 1))
        #expect(await lookup.addresses(of: "late.test", by: .after(.milliseconds(50))) == .failure(Self.late))
        system.letGo(1)
        #expect(await blocked.value == .success([.loopback4]))
        #expect(await lookup.addresses(of: "next.test", by: .after(.seconds(1800))) == .success([.loopback4]))
        #expect(system.asked == ["slow.test", "next.test"])
    }

    @Test func theSystemKnowsLocalhost() async throws {
        let found = try await HostLookup.system.addresses(of: "localhost", by: .after(.seconds(1800))).get()
        #expect(found.allSatisfy(\.isLoopback) && !found.isEmpty)
        let missing = await HostLookup.system.addresses(of: "nowhere.invalid", by: .after(.seconds(1800)))
        guard case .failure = missing else { return #expect(Bool(false), "\(missing)") }
    }

    private static let late = LookupFailure.late
}
