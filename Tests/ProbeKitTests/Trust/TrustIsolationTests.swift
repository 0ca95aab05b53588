import ProbeKit
import ProbePlatform
import Synchronization
import Testing

/// A hostile chain makes a decision slow: whoever asks from an actor does not do the work there.
@Suite struct TrustIsolationTests {
    private final class Stack: Transport {
        let identity = BackendIdentity(name: "stack", library: "stack", version: "1")
        let capabilities: Set<TransportCapability> = [.trustEvaluation]
        let isolated = Mutex<Bool?>(nil)

        func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
            HandshakeReport(failure: HandshakeFailure(.unsupported, "it only decides"))
        }

        func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
            isolated.withLock { $0 = #isolation != nil }
            return .accepted(path: nil)
        }

        func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("it reads none") }
    }

    @MainActor @Test func trustIsDecidedOffTheCallersActor() async {
        let stack = Stack()
        let transport: any Transport = stack
        _ = await transport.evaluateTrust(
            TrustQuestion(chain: [], anchors: .none, name: nil, instant: .now))
        #expect(stack.isolated.withLock { $0 } == false)
    }
}
