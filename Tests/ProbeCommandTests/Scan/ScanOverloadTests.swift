import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeCommand

/// A process that is short of time says so, and nothing about servers.
@Suite(.bounded) struct ScanOverloadTests {
    private func probe(
        _ transport: any Transport, losing lost: [Duration], pauses: Pauses = Pauses(), retries: Int = 0
    ) -> ScanProbe {
        var probe = ScanProbe(
            prober: Prober(lateness: GivenLateness(lost)), transports: [transport], resolvers: [], lookup: .system,
            limiter: nil, isClosed: { false }, allAddresses: false,
            check: { target, dialling, _ in
                Check(
                    target: Target(name: target.target.name, connect: dialling), anchors: .none, timeout: .seconds(10))
            }, pause: { attempt in pauses.attempts.withLock { $0.append(attempt) } })
        probe.retries = retries
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

    @Test("--retry-failed does again what failed, and counts it once") func retries() async throws {
        try await ScanBench.run { bench in
            let dead = try await LabServer.start(.dead, pki: ScanBench.pki)
            let port = dead.endpoint.port
            let resume = ["--resume", bench.path("out")]
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: ScanBench.pki) { good in
                let list = try bench.list(["127.0.0.1:\(port),good.test", "\(good.endpoint),good.test"])
                let first = try await bench.scan(["--list", list] + resume)
                #expect(first.code == 20, "\(first.errors)")
                let idle = try await bench.scan(["--list", list] + resume)
                #expect(idle.code == 20, "without the option nothing is done again")
                let again = try await bench.scan(["--list", list, "--retry-failed"] + resume)
                #expect(again.code == 20)
                let last = try await bench.scan(["--list", list, "--retry-failed"] + resume)
                #expect(last.code == 20)
                let lines = try bench.lines(of: "out")
                #expect(lines.compactMap(\.outcome).filter { $0 == "unreachable" }.count == 3)
                #expect(lines.compactMap { $0.place["retry"] as? Bool } == [false, false, true, true])
                let manifest = try #require(lines.last)
                #expect(manifest.count("targets") == 2 && manifest.count("results") == 2)
                #expect(manifest.count(of: "unreachable") == 1 && manifest.count(of: "pass") == 1)
                #expect(manifest.count("skipped") == 1)
            }
            await dead.stop()
        }
    }

    @Test func retryingNeedsAFile() async throws {
        let outcome = try await Probe.run(["scan", "127.0.0.1:1", "--retry-failed"])
        #expect(outcome.code == 64 && outcome.errors.contains("--resume"))
    }
}

/// The pauses that were made.
private final class Pauses: Sendable {
    let attempts = Mutex<[Int]>([])
}

/// Fails at once, always in one way.
final class FailingTransport: Transport {
    let identity = BackendIdentity(name: "failing", library: "none", version: "0")
    let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation, .httpHead,
    ]
    let count = Mutex(0)
    private let code: HandshakeFailure.Code

    init(_ code: HandshakeFailure.Code) { self.code = code }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        count.withLock { $0 += 1 }
        return HandshakeReport(failure: HandshakeFailure(code, "it fails"))
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .refused([.init(.other, "it fails")]) }
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("it fails") }
}

extension ScanSlots {
    /// The number of targets that are worked on at once now.
    fileprivate var currentWidth: Int { state.withLock { $0.width } }
}
