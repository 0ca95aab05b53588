import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import TransportCurl

/// libcurl's own pin check, asked about the key we read.
@Suite(.bounded, .timeLimit(.minutes(1)))
struct PinDecisionTests {
    @Test func anotherKeyIsDenied() async throws {
        let transport = try CurlTransport()
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            let request = try Fixture.request(to: server.endpoint)
            let right = PinDigest.sha256(of: try Fixture.pki.identity(.good).key.spki)
            let wrong = PinDigest.sha256(of: try Fixture.pki.identity(.second).key.spki)
            #expect(await transport.run(request, confirming: right).matchesPin)
            let denied = await transport.run(request, confirming: wrong)
            #expect(!denied.matchesPin)
            #expect(denied.report.failure == nil)
            #expect(server.applicationBytes == 0)
        }
    }

    /// Neither the name nor the chain keeps libcurl from looking at the key.
    @Test(arguments: [LabIdentityName.good, .wrongName, .expired, .selfSigned, .rsa1024])
    func theLeafSeenIsConfirmed(_ name: LabIdentityName) async throws {
        let transport = try CurlTransport()
        let leaf = try Fixture.pki.identity(name).leaf
        let other = try Fixture.pki.identity(.second).leaf
        try await LabServer.run(.tls(LabTLSRecipe(name)), pki: Fixture.pki) { server in
            let request = try Fixture.request(to: server.endpoint)
            #expect(await transport.confirmKey(ofLeaf: leaf, request) == .confirmed)
            guard case .unanswered = await transport.confirmKey(ofLeaf: other, request) else {
                Issue.record("answered about a leaf that is not presented")
                return
            }
        }
    }

    @Test func whereThereIsNoServerThereIsNoAnswer() async throws {
        let transport = try CurlTransport()
        try await LabServer.run(.dead, pki: Fixture.pki) { server in
            let decision = await transport.confirmKey(
                ofLeaf: try Fixture.pki.identity(.good).leaf, try Fixture.request(to: server.endpoint))
            guard case .unanswered(let failure) = decision else {
                Issue.record("answered without a server")
                return
            }
            #expect(failure.code == .connectionRefused)
        }
    }
}
