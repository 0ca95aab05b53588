import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import Testing

@testable import TransportCurl

/// libcurl's own pin check, asked about the key we read.
@Suite(.bounded)
struct PinCheckTests {
    @Test func anotherKeyIsDenied() async throws {
        let transport = CurlTransport()
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

    /// Neither the name nor the chain keeps libcurl from checking the key.
    @Test(arguments: [LabIdentityName.good, .wrongName, .expired, .selfSigned, .rsa1024])
    func theLeafSeenIsConfirmed(_ name: LabIdentityName) async throws {
        let transport = CurlTransport()
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
        let transport = CurlTransport()
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

    /// The prober asks if a pin on the leaf's key is compared, and only then.
    @Test func itIsASecondReadingOfLeafPins() async throws {
        let transport = CurlTransport()
        let spki = Pin(kind: .spki, digest: .sha256(of: try Fixture.pki.identity(.good).key.spki))
        let cert = Pin(kind: .cert, digest: .sha256(of: try Fixture.pki.identity(.good).leaf))
        for (group, connections) in [
            (PinGroup([spki], position: .leaf), 2), (PinGroup([spki], position: .any), 2),
            (PinGroup([cert], position: .leaf), 1),
        ] {
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
                let result = try await probe(server.endpoint, group, through: transport)
                #expect(result.verdict.outcome == .pass, "\(result.verdict.findings)")
                #expect(result.evidence.connection?.keyConfirmation == (connections == 2 ? .confirmed : nil))
                #expect(server.acceptedConnections == connections)
                #expect(server.applicationBytes == 0)
            }
        }
    }

    @Test(arguments: [
        (KeyConfirmation.denied, Outcome.readingsDisagree),
        (.unanswered(HandshakeFailure(.connectionReset, "reset")), .passWithWarnings),
    ])
    func aReadingThatDiffersIsNoPass(_ confirmation: KeyConfirmation, _ outcome: Outcome) async throws {
        let transport = Overruled(real: CurlTransport(), confirmation: confirmation)
        let pin = Pin(kind: .spki, digest: .sha256(of: try Fixture.pki.identity(.good).key.spki))
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            let result = try await probe(server.endpoint, PinGroup([pin], position: .leaf), through: transport)
            #expect(result.verdict.outcome == outcome)
        }
    }

    private func probe(
        _ endpoint: Endpoint, _ group: PinGroup, through transport: any Transport
    ) async throws -> ProbeResult {
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try Fixture.pki.anchors(),
            pins: [group])
        let results = await Prober(clock: .fixed(Fixture.pki.epoch)).probe(check, through: [transport], resolvers: [])
        return try #require(results.first)
    }
}

/// libcurl with another's answer about the key.
private struct Overruled: KeyConfirming {
    let real: CurlTransport
    let confirmation: KeyConfirmation

    var identity: BackendIdentity { real.identity }
    var capabilities: Set<TransportCapability> { real.capabilities }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport { await real.handshake(request) }
    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { await real.evaluateTrust(question) }
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        await real.readKey(ofCertificate: certificate)
    }
    func confirmKey(ofLeaf leaf: [UInt8], _ request: HandshakeRequest) async -> KeyConfirmation { confirmation }
}
