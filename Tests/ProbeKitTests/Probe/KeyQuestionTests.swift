import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeRun

/// A stack that does not answer about keys costs a probe the time that its caller allows, and not a wait for each certificate.
@Suite(.bounded) struct KeyQuestionTests {
    /// Shows a chain, answers no question about a key, and keeps the deadlines of those questions.
    private final class SilentStack: Transport {
        let identity = BackendIdentity(name: "silent", library: "none", version: "0")
        let capabilities: Set<TransportCapability> = [
            .presentedChain, .sni, .alpn, .versionRange, .keyReading, .trustEvaluation,
        ]
        private let chain: [[UInt8]]
        private let keys: [KeyReading]
        private let asked = Mutex<[Deadline?]>([])
        private let decided = Mutex<[Deadline?]>([])

        init(_ chain: [[UInt8]] = [], keys: [KeyReading] = []) {
            self.chain = chain
            self.keys = keys
        }

        var keyDeadlines: [Deadline?] { asked.withLock { $0 } }
        var trustDeadlines: [Deadline?] { decided.withLock { $0 } }

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            var report = HandshakeReport()
            report.chain = chain
            report.keys = keys
            report.version = .tls13
            report.nativeTrust = .accepted(path: nil)
            return report
        }

        func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
            decided.withLock { $0.append(Deadline.ofProbe) }
            return .accepted(path: nil)
        }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
            asked.withLock { $0.append(Deadline.ofProbe) }
            return .unanswered("it hangs")
        }
    }

    private static let pki = TestConnection.pki

    private func check(timeout: Duration) throws -> Check {
        Check(target: try Target("good.test"), anchors: try Self.pki.anchors(), timeout: timeout)
    }

    @Test func aSuppliedChainHasOneDeadline() async throws {
        let stack = SilentStack()
        let chain = try Self.pki.identity(.good).chain
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: try ServerName("good.test"),
            anchors: try Self.pki.anchors(), instant: Self.pki.epoch, deadline: .after(.seconds(600)))
        let report = await SuppliedChainTransport(chain, judgedBy: stack).handshake(request)
        #expect(chain.count > 1 && stack.keyDeadlines == chain.map { _ in request.deadline })
        #expect(stack.trustDeadlines == [request.deadline])
        #expect(report.keys == chain.map { _ in .unanswered("it hangs") })
    }

    @Test func keysThatTookAllTimeLeaveSomeForTheDecision() async throws {
        let stack = SilentStack()
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: try ServerName("good.test"),
            anchors: try Self.pki.anchors(), instant: Self.pki.epoch, deadline: .after(.zero))
        let start = ContinuousClock.now
        _ = await SuppliedChainTransport(try Self.pki.identity(.good).chain, judgedBy: stack).handshake(request)
        let first = try #require(stack.trustDeadlines.first)
        let end = try #require(first)
        #expect(start.duration(to: end.instant) >= .seconds(10))
    }

    /// The anchor of the path that was found, which the server does not send.
    @Test func anAnchorsKeyHasTheDeadlineOfTheProbe() async throws {
        let good = try Self.pki.identity(.good)
        let keys = try good.chain.map { KeyReading.spki(Array($0[try CertificateSlices(certificate: $0.span).spki])) }
        let stack = SilentStack(good.chain, keys: keys)
        let start = ContinuousClock.now
        let results = await Prober(clock: .fixed(Self.pki.epoch)).probe(
            try check(timeout: .seconds(3600)), through: [stack], resolvers: [])
        let first = try #require(stack.keyDeadlines.first)
        let deadline = try #require(first)
        #expect(stack.keyDeadlines.count == 1 && results.count == 1)
        #expect((Duration.seconds(3600)...(.seconds(5400))).contains(start.duration(to: deadline.instant)))
    }

    /// A handshake that took all of the time leaves a moment for the anchor's key.
    @Test func aLateHandshakeLeavesAMoment() async throws {
        let good = try Self.pki.identity(.good)
        let keys = try good.chain.map { KeyReading.spki(Array($0[try CertificateSlices(certificate: $0.span).spki])) }
        let stack = SilentStack(good.chain, keys: keys)
        let start = ContinuousClock.now
        _ = await Prober(clock: .fixed(Self.pki.epoch)).probe(
            try check(timeout: .zero), through: [stack], resolvers: [])
        let first = try #require(stack.keyDeadlines.first)
        let deadline = try #require(first)
        #expect(start.duration(to: deadline.instant) >= .seconds(10))
    }

    /// The key of a certificate that is on no path may be left out, and the anchor's is asked all the same.
    @Test func anUnansweredKeyLeavesTheAnchors() async throws {
        let good = try Self.pki.identity(.good)
        let stack = SilentStack(good.chain, keys: good.chain.map { _ in .unanswered("it hangs") })
        _ = await Prober(clock: .fixed(Self.pki.epoch)).probe(
            try check(timeout: .seconds(3600)), through: [stack], resolvers: [])
        #expect(stack.keyDeadlines.count == 1)
    }
}
