import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import Synchronization
import Testing

@testable import ProbeRun

/// The requests that a connection that passed saves the next one, and those that it does not (decided: cache-keys).
@Suite("[R8, R54] a connection that passed is remembered") struct ConnectionMemoryTests {
    private static let pki = WatchBench.pki
    private let time = VirtualTime(epoch: pki.epoch)
    private let cache = MemoryCache()

    /// A scripted stack with a pin check of its own, which takes another connection each time.
    private final class Confirming: KeyConfirming {
        private let real: ScriptedTransport
        private let answer: KeyConfirmation
        private let count = Mutex(0)

        init(_ real: ScriptedTransport, _ answer: KeyConfirmation = .confirmed) {
            self.real = real
            self.answer = answer
        }

        var confirmations: Int { count.withLock { $0 } }
        var identity: BackendIdentity { real.identity }
        var capabilities: Set<TransportCapability> { real.capabilities }
        func handshake(_ request: HandshakeRequest) async -> HandshakeReport { await real.handshake(request) }
        func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { await real.evaluateTrust(question) }
        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            await real.readKey(ofCertificate: certificate)
        }
        func confirmKey(ofLeaf leaf: [UInt8], _ request: HandshakeRequest) async -> KeyConfirmation {
            count.withLock { $0 += 1 }
            return answer
        }
    }

    private func transport(_ steps: [ScriptedTransport.Step], name: String = "scripted") -> ScriptedTransport {
        ScriptedTransport(steps, pki: Self.pki, time: time, name: name)
    }

    private func check(
        _ name: String = "good.test", pins: [PinGroup] = [], date: ServerDateMode = .whenItDecides
    ) throws -> Check {
        Check(target: try Target(name), anchors: try Self.pki.anchors(), pins: pins, serverDate: date)
    }

    /// The good leaf's key is pinned, and a certificate that it is not, tolerated in a window of an hour.
    private func pins(inWindow: Bool) throws -> [PinGroup] {
        let key = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki)
        let keys = PinGroup([Pin(kind: .spki, digest: key)], position: .leaf)
        let epoch = Self.pki.epoch
        let window = TransitionWindow(start: epoch.addingTimeInterval(-60), end: epoch.addingTimeInterval(3600))
        let certificate = PinGroup(
            [Pin(kind: .cert, digest: .sha256(of: [1]))], position: .leaf, window: window)
        return inWindow ? [keys, certificate] : [keys]
    }

    private func answer() -> ScriptedTransport.Step {
        .answers(
            .good, HTTPReport.Response(version: "h2", status: 200, date: [Self.date(Self.pki.epoch)]))
    }

    private static func date(_ instant: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: instant)
    }

    private func probe(_ check: Check, _ transport: any Transport, cached: Bool = true) async throws -> ProbeResult {
        let prober = Prober(clock: time.clock, pinCache: cached ? cache : nil)
        return try #require(await prober.probe(check, through: [transport], resolvers: []).first)
    }

    private func pass(_ seconds: Int) async throws { try await time.sleep(until: time.now + .seconds(seconds)) }

    @Test("the library's own pin check is asked once in ten minutes") func confirmation() async throws {
        let transport = Confirming(transport([.presents(.good)]))
        let check = try check(pins: try pins(inWindow: false))
        for (wait, confirmations) in [(0, 1), (1, 1), (598, 1), (1, 2), (599, 2), (1, 3)] {
            try await pass(wait)
            let result = try await probe(check, transport)
            #expect(result.verdict.outcome == .pass)
            #expect(transport.confirmations == confirmations)
        }
        _ = try await probe(check, transport, cached: false)
        #expect(transport.confirmations == 4, "a single check rested on a cache")
    }

    @Test("the server's time is asked once in ten minutes, and the tolerance rests on it") func serverTime()
        async throws
    {
        let transport = transport([answer()])
        let check = try check(pins: try pins(inWindow: true))
        for (wait, asks) in [(0, true), (299, false), (1, false)] {
            try await pass(wait)
            let result = try await probe(check, transport)
            #expect(result.verdict.outcome == .passWithWarnings, "\(result.verdict.findings)")
            #expect(result.verdict.findings.contains { $0.code == "transition" })
            #expect(result.verdict.findings.contains { $0.code == "connection-cached" } == !asks)
            #expect((result.evidence.connection?.serverTime != nil) == asks)
        }
        // The server's clock is stopped: when it is asked again, it is too far behind.
        try await pass(301)
        #expect(try await probe(check, transport).verdict.findings.contains { $0.code == "clock-skew" })
    }

    private func windowed(_ missing: TransitionWindow.MissingDate, isEnforced: Bool) throws -> [PinGroup] {
        let epoch = Self.pki.epoch
        let window = TransitionWindow(
            start: epoch.addingTimeInterval(-60), end: epoch.addingTimeInterval(3600), onMissingDate: missing)
        let certificate = PinGroup(
            [Pin(kind: .cert, digest: .sha256(of: [1]))], position: .leaf, window: window, isEnforced: isEnforced)
        return try pins(inWindow: false) + [certificate]
    }

    /// Enforced, the same pins pass in the window: a report of a mismatch would announce a failure that never comes.
    @Test("[R12] the server is asked for its time for pins that only report") func reportedInTheWindow() async throws {
        let transport = transport([answer()])
        let check = try check(pins: try windowed(.strict, isEnforced: false))
        for asks in [true, false] {
            let result = try await probe(check, transport)
            let codes = result.verdict.findings.map(\.code)
            #expect(codes.contains("transition") && !codes.contains("pin-mismatch-reported"), "\(codes)")
            #expect((result.evidence.connection?.serverTime != nil) == asks)
        }
    }

    /// Nobody asked for the server's time, so that no later check may rest on it.
    @Test("a tolerance without the server's time is not remembered", arguments: [true, false])
    func unaskedServerTime(isEnforced: Bool) async throws {
        let transport = transport([.presents(.good)])
        let check = try check(
            pins: try windowed(isEnforced ? .lenient : .strict, isEnforced: isEnforced), date: .never)
        for _ in 0..<2 {
            let result = try await probe(check, transport)
            let codes = result.verdict.findings.map(\.code)
            #expect(codes.contains(isEnforced ? "transition-unproven" : "pin-mismatch-reported"), "\(codes)")
            #expect(!codes.contains("transition") && result.evidence.connection?.remembered == nil, "\(codes)")
        }
    }

    /// A group that only reports fails nothing, and its success must not stand for an answer that refused the tolerance.
    @Test("a tolerance that the server's time refused is not remembered") func refusedServerTime() async throws {
        let transport = transport([answer()])
        let check = try check(pins: try windowed(.strict, isEnforced: false))
        for wait in [301, 1] {
            try await pass(wait)
            let result = try await probe(check, transport)
            let codes = result.verdict.findings.map(\.code)
            #expect(result.verdict.outcome == .passWithWarnings)
            #expect(codes.contains("pin-mismatch-reported") && !codes.contains("transition"), "\(codes)")
            #expect(result.evidence.connection?.remembered == nil && result.evidence.connection?.serverTime != nil)
        }
    }

    @Test("a tolerance for which the server was not asked, as other pins fail, is not remembered")
    func unaskedBesideFailure() async throws {
        let epoch = Self.pki.epoch
        let window = TransitionWindow(
            start: epoch.addingTimeInterval(-60), end: epoch.addingTimeInterval(3600), fallback: .system,
            onMissingDate: .lenient)
        let expired = PinGroup(
            [Pin(kind: .spki, digest: .sha256(of: [1]))], position: .leaf,
            expiry: PinGroup.Expiry(last: epoch.addingTimeInterval(-1)), isEnforced: false)
        let certificate = PinGroup(
            [Pin(kind: .cert, digest: .sha256(of: [1]))], position: .leaf, window: window, isEnforced: false)
        let check = try check(pins: [expired, certificate])
        let transport = transport([answer()])
        for _ in 0..<2 {
            let result = try await probe(check, transport)
            let tolerated = result.verdict.findings.filter { $0.code == "transition" }
            #expect(tolerated.map { $0.message.hasSuffix("other pins would fail the connection anyway") } == [true])
            #expect(result.evidence.connection?.serverTime == nil && result.evidence.connection?.remembered == nil)
        }
    }

    @Test("the window's end ends the tolerance at once") func windowEnds() async throws {
        let epoch = Self.pki.epoch
        let window = TransitionWindow(start: epoch.addingTimeInterval(-60), end: epoch.addingTimeInterval(10))
        let group = PinGroup([Pin(kind: .cert, digest: .sha256(of: [1]))], position: .leaf, window: window)
        let check = try check(pins: try pins(inWindow: false) + [group])
        let transport = transport([answer()])
        #expect(try await probe(check, transport).verdict.outcome == .passWithWarnings)
        try await pass(10)
        #expect(try await probe(check, transport).verdict.outcome == .passWithWarnings)
        try await pass(1)
        #expect(try await probe(check, transport).verdict.outcome == .pinMismatch)
    }

    @Test("a time that is always asked for is asked for") func always() async throws {
        let check = try check(date: .always)
        let transport = transport([answer()])
        for _ in 0..<2 {
            #expect(try await probe(check, transport).evidence.connection?.serverTime != nil)
        }
    }

    @Test("a success answers for no other host, stack, pins or leaf") func nothingElse() async throws {
        let pins = try pins(inWindow: false)
        let first = Confirming(transport([.presents(.good)]))
        _ = try await probe(try check(pins: pins), first)
        let more = Pin(kind: .spki, digest: .sha256(of: [7]))
        let others: [(Check, ScriptedTransport)] = [
            (try check("good.test:8443", pins: pins), transport([.presents(.good)])),
            (try check("other.test", pins: pins), transport([.presents(.good)])),
            (try check(pins: pins), transport([.presents(.good)], name: "other")),
            (try check(pins: pins + [PinGroup([more], position: .any)]), transport([.presents(.good)])),
            (try check(pins: pins), transport([.presents(.p384)])),
        ]
        for (check, scripted) in others {
            let transport = Confirming(scripted)
            let result = try await probe(check, transport)
            #expect(result.evidence.connection?.remembered == nil && transport.confirmations == 1)
        }
    }

    @Test("the handshake is judged each time, whatever is remembered") func judgedAnew() async throws {
        let check = try check(pins: try pins(inWindow: false))
        let transport = Confirming(transport([.presents(.good)]))
        #expect(try await probe(check, transport).verdict.outcome == .pass)
        let blind = Confirming(
            self.transport([.fails(.connectionRefused), .presents(.p384), .presents(.good)]))
        #expect(try await probe(check, blind).verdict.outcome == .unreachable)
        #expect(try await probe(check, blind).verdict.outcome == .pinMismatch)
        #expect(try await probe(check, blind).verdict.outcome == .pass)
    }

    @Test("a handshake that failed, or showed no chain, is not the one that passed") func failedWithAChain()
        async throws
    {
        let check = try check()
        let identity = BackendIdentity(name: "a", library: "A", version: "1")
        let chain = try Self.pki.identity(.good).chain
        let memory = try #require(ConnectionMemory(cache, of: check, through: identity, at: Self.pki.epoch))
        for certificates in [chain, []] {
            let key = CacheKey(check, through: identity, chain: certificates, at: Self.pki.epoch)
            await cache.recordSuccess(of: key, at: Self.pki.epoch, for: .pins)
        }
        var report = HandshakeReport()
        #expect(await memory.success(with: report) == nil)
        report.chain = chain
        #expect(await memory.success(with: report) == Self.pki.epoch)
        report.failure = HandshakeFailure(.protocolError, "it failed")
        #expect(await memory.success(with: report) == nil)
    }

    @Test("a failure is never remembered, nor what was not confirmed", arguments: [true, false])
    func failures(isDenied: Bool) async throws {
        let answer: KeyConfirmation =
            isDenied ? .denied : .unanswered(HandshakeFailure(.connectionReset, "as the script says"))
        let transport = Confirming(transport([.presents(.good)]), answer)
        let check = try check(pins: try pins(inWindow: false))
        for number in 1...2 {
            let result = try await probe(check, transport)
            #expect(result.verdict.outcome == (isDenied ? .readingsDisagree : .passWithWarnings))
            #expect(transport.confirmations == number && result.evidence.connection?.remembered == nil)
        }
    }
}
