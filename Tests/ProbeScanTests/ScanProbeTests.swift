import Foundation
import ProbeKit
import ProbeNet
import ProbeRun
import Synchronization
import Testing

@testable import ProbeScan

/// One target of a scan.
@Suite struct ScanProbeTests {
    /// Eight addresses at a time, four in a row: each may take an equal part of its row's remaining time, so that
    /// silent ones leave time for those after them.
    @Test func addressesShareTheirTargetsTime() async throws {
        let stack = NotingTransport()
        let addresses = try (1...32).map { try #require(IPAddress("127.0.0.\($0)")) }
        let found = try #require(await lines(of: addresses, through: stack))
        #expect(found.outcomes.count == 32)
        let times = stack.times.withLock { $0 }
        for (place, address) in addresses.enumerated() {
            let part = Duration.seconds(3600) / (4 - place / 8)
            let time = try #require(times["\(address)"])
            #expect(time <= part && time > part / 2, "\(address) may take \(time)")
        }
        // In the order of the addresses, not of the results.
        let dialled = found.texts.compactMap { line in addresses.firstIndex { line.contains("\"\($0):443\"") } }
        #expect(dialled == Array(0..<32))
    }

    /// The distance between the probes of one host holds for those that are tried again, and that of a name's addresses.
    @Test(arguments: ["127.0.0.1", "one.test"]) func triesKeepTheirDistance(target: String) async throws {
        let (time, address) = (NotedWaits(), try #require(IPAddress("127.0.0.1")))
        let limiter = RateLimiter(spacing: .seconds(3600), sleeper: time)
        let probe = ScanProbe(
            transports: [NotingTransport()],
            addresses: AddressChoice(lookup: HostLookup { _ in .success([address]) }), limiter: limiter, retries: 1,
            isClosed: { false },
            check: { target, _ in Check(target: target.target, anchors: .none, timeout: .seconds(3600)) })
        let found = try #require(await probe.lines(of: ScanTarget(target: try Target(target))))
        #expect(found.outcomes == [.unreachable])
        #expect(time.waits.withLock { $0 } == [.seconds(3600)])
        await limiter.turn(for: "127.0.0.1")
        #expect(time.waits.withLock { $0 } == [.seconds(3600), .seconds(7200)])
    }

    private func lines(
        of addresses: [IPAddress], through transport: NotingTransport
    ) async throws -> (texts: [String], outcomes: [Outcome])? {
        let probe = ScanProbe(
            transports: [transport],
            addresses: AddressChoice(isEach: true, lookup: HostLookup { _ in .success(addresses) }),
            isClosed: { false },
            check: { target, timeout in
                Check(target: target.target, anchors: .none, timeout: timeout ?? .seconds(3600))
            })
        return await probe.lines(of: ScanTarget(target: try Target("many.test")))
    }
}

/// Notes how long each handshake might take, and fails at once.
private final class NotingTransport: Transport {
    let identity = BackendIdentity(name: "noting", library: "none", version: "0")
    let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation, .httpHead,
    ]
    let times = Mutex<[String: Duration]>([:])

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        times.withLock { $0[request.endpoint.host.description] = request.deadline.remaining }
        return HandshakeReport(failure: HandshakeFailure(.connectTimeout, "it notes"))
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .refused([.init(.other, "it notes")]) }
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("it notes") }
}

/// A clock that stands still, and notes what is waited for.
private final class NotedWaits: Sleeper {
    let now = ContinuousClock.now
    let waits = Mutex<[Duration]>([])

    func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError) {
        waits.withLock { $0.append(now.duration(to: moment)) }
    }
}
