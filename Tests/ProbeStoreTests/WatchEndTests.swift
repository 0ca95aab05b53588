import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeStore
import ProbeTestSupport
import Testing

/// A watch that is cancelled, as a signal does it, and the file that the next one starts from.
@Suite(.bounded) struct WatchEndTests {
    private static let pki = LabPKI(epoch: .now)
    private static let key = "good.test:443 held"

    private func watch(
        _ store: SuccessStore, rounds: Int? = nil, hold: @escaping @Sendable () async -> Void = {}
    ) throws -> Watch {
        let check = Check(
            target: try Target("good.test"), anchors: try Self.pki.anchors(), serverDate: .never,
            timeout: .seconds(1800))
        let transport = HeldTransport(chain: try Self.pki.identity(.good).chain, hold: hold)
        return Watch(
            [WatchedCheck(check, through: [transport])], settings: WatchSettings(rounds: rounds), spacing: .zero,
            baselines: store)
    }

    @Test("the first baseline is kept though the signal comes during the handshake") func duringTheHandshake()
        async throws
    {
        let scratch = try Scratch()
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (cancelled, cancel) = AsyncStream<Void>.makeStream()
        let changes = try watch(try scratch.store()) {
            begin.finish()
            for await _ in cancelled {}
        }
        let following = Task {
            var seen: [StatusChange] = []
            for await change in changes { seen.append(change) }
            return seen
        }
        for await _ in began {}
        following.cancel()
        cancel.finish()
        #expect(await following.value.map(\.to) == [.pass])
        let kept = try await scratch.store().baseline(for: Self.key)
        #expect(kept?.leaf == PinDigest.sha256(of: try Self.pki.identity(.good).leaf))
    }

    @Test(
        "a drift whose command ends after the signal is not reported at the next start",
        arguments: [true, false])
    func duringTheCommand(asksForMore: Bool) async throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        await store.replaceBaseline(
            Baseline(leaf: .sha256(of: [1]), keys: [.sha256(of: [2])], pins: []), for: Self.key)
        let changes = try watch(store)
        let (began, begin) = AsyncStream<Void>.makeStream()
        let following = Task {
            var rounds = changes.makeAsyncIterator()
            let round = await rounds.nextRound() ?? []
            begin.finish()
            // As a command that ends after the signal.
            while !Task.isCancelled { await Task.yield() }
            if asksForMore { _ = await rounds.nextRound() } else { await rounds.finish() }
            return round
        }
        for await _ in began {}
        following.cancel()
        #expect(await following.value.map(\.kind) == [.status, .drift])

        var again: [StatusChange.Kind] = []
        for await change in try watch(try scratch.store(), rounds: 1) { again.append(change.kind) }
        #expect(again == [.status])
    }
}

/// Presents one chain, once a closure has returned.
private struct HeldTransport: Transport {
    let identity = BackendIdentity(name: "held", library: "none", version: "0")
    let capabilities: Set<TransportCapability> = [
        .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation, .startTLS,
    ]
    let chain: [[UInt8]]
    let hold: @Sendable () async -> Void

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        await hold()
        var report = HandshakeReport()
        report.chain = chain
        report.keys = chain.map(key)
        report.version = .tls13
        report.nativeTrust = .accepted(path: nil)
        return report
    }

    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .accepted(path: nil) }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { key(certificate) }

    private func key(_ certificate: [UInt8]) -> KeyReading {
        do {
            let slices = try CertificateSlices(certificate: certificate.span)
            return .spki(Array(certificate[slices.spki]))
        } catch {
            return .unreadable("\(error)")
        }
    }
}
