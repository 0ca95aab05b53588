import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@Suite(.bounded) struct LabTests {
    @Test func everythingComesUpAndGoesDown() async throws {
        let lab = try await Lab.start(at: .now)
        #expect(Set(lab.endpoints.map(\.id)).count == lab.endpoints.count)
        #expect(Set(lab.endpoints.map(\.endpoint)).count == lab.endpoints.count)
        for endpoint in lab.endpoints {
            #expect(await answers(endpoint.endpoint) == (endpoint.expected != .unreachable), "\(endpoint.id)")
        }
        let ports = Set(lab.endpoints.map(\.endpoint.port))
        let before = try KernelSocket.own(.tcp).filter {
            $0.isListening && $0.isOnLoopback4 && ports.contains($0.port)
        }
        #expect(!before.isEmpty)
        await lab.stop()
        // The sockets themselves and not their ports, which another test may have by now.
        let after = try KernelSocket.own(.tcp)
        for socket in before { #expect(!after.contains(socket), "port \(socket.port) is still open") }
    }

    @Test func pinsSayWhatTheyShow() async throws {
        let lab = try await Lab.start(at: .now)
        await lab.stop()
        let pins = Dictionary(uniqueKeysWithValues: lab.endpoints.map { ($0.id, $0.pin) })
        #expect(pins["good"] == pins["same-key"])
        #expect(pins["good"] == pins["new-key"])
        #expect(pins["good"] != pins["wrong-pin"])
        #expect(pins["silent"] == .some(nil))
        for endpoint in lab.endpoints where endpoint.expected == .trustFailed {
            #expect(TrustCause(rawValue: endpoint.reason ?? "") != nil)
        }
    }

    private func answers(_ endpoint: Endpoint) async -> Bool {
        await (try? RawClient.talk(to: endpoint, hearing: 0, for: .milliseconds(1))) != nil
    }
}
