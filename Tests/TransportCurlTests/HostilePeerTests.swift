import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportCurl

/// Peers that break off, lie, or never answer: each ends in a failure of its own, in time.
@Suite(.bounded)
struct HostilePeerTests {
    private let transport: CurlTransport

    init() throws {
        transport = CurlTransport()
    }

    /// Asks within a limit, and within longer ones while the machine is too busy to say anything about the peer.
    private func failure(
        of peer: LabPeer, within patience: Duration = .seconds(1800)
    ) async throws -> (failure: HandshakeFailure, took: Duration, turns: Duration) {
        try await LabServer.run(peer, pki: Fixture.pki) { server in
            for factor in [1, 4, 16, 64] {
                let request = try Fixture.request(to: server.endpoint, within: patience * factor)
                let (began, watch) = (ContinuousClock.now, Stopwatch())
                let failure = try #require(await transport.handshake(request).failure)
                if failure.code != .localOverload {
                    return (failure, .now - began, watch.elapsed - patience * (factor - 1))
                }
            }
            throw HandshakeFailure(.localOverload, "the machine is too busy")
        }
    }

    @Test(arguments: [
        (LabPeer.dead, HandshakeFailure.Code.connectionRefused),
        (.closes, .connectionClosed), (.closesAfterHello, .connectionClosed), (.closesMidHandshake, .connectionClosed),
        (.resetsAfterHello, .connectionReset),
        (.plainHTTP, .notTLS), (.plainSMTP, .notTLS), (.garbage, .notTLS), (.endlessBytes, .notTLS),
        (.oversizedRecord, .protocolError), (.endlessWarnings, .protocolError),
        (.endlessEmptyRecords, .protocolError), (.endlessMessage, .protocolError),
        (.endlessHelloRequests, .protocolError), (.endlessCipherChanges, .protocolError),
        (.endlessFragments, .protocolError),
    ])
    func breaksOff(_ peer: LabPeer, _ code: HandshakeFailure.Code) async throws {
        let (failure, _, turns) = try await failure(of: peer)
        #expect(failure.code == code, "\(failure)")
        #expect(failure.nativeCode?.hasPrefix("CURLE_") == true)
        #expect(turns < .seconds(60))
    }

    @Test(arguments: [LabPeer.silent, .silentAfterHello, .halfRecord])
    func neverAnswers(_ peer: LabPeer) async throws {
        let (failure, took, turns) = try await failure(of: peer, within: .milliseconds(300))
        #expect(failure.code == .handshakeTimeout, "\(failure)")
        #expect(failure.nativeCode == "CURLE_OPERATION_TIMEDOUT")
        // libcurl counts in milliseconds.
        #expect(took >= .milliseconds(298))
        #expect(turns < .seconds(20))
    }

    @Test(arguments: [HandshakeFailure.Alert.handshakeFailure, .protocolVersion, .internalError, .unrecognizedName])
    func refusesWithAnAlert(_ alert: HandshakeFailure.Alert) async throws {
        let failure = try await failure(of: .alert(alert)).failure
        #expect(failure.code == .alertReceived)
        #expect(failure.alert == alert)
        #expect(failure.nativeCode?.hasPrefix("CURLE_SSL_CONNECT_ERROR error:0A") == true)
    }

    @Test func aPortThatTakesNoConnectionIsATimeoutBeforeTCP() async throws {
        let full = try FullListener()
        let request = try Fixture.request(
            to: Endpoint(host: .ip(.loopback4), port: full.port), within: .milliseconds(300))
        let report = await transport.handshake(request)
        withExtendedLifetime(full) { #expect(report.failure?.code == .connectTimeout) }
        #expect(report.timings.connect == nil)
        #expect(report.sniSent == nil)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func tooManyCertificatesAreTheirOwnFailure(_ version: TLSVersion) async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.huge)), pki: Fixture.pki) { server in
            let request = try Fixture.request(to: server.endpoint, versions: version...version)
            let report = await transport.handshake(request)
            #expect(report.failure?.code == .chainTooLong)
            #expect(report.version == version)
            #expect(report.chain.isEmpty)
        }
    }

    @Test func aDeadlineThatHasPassedIsOne() async throws {
        let (failure, _, turns) = try await failure(of: .silent, within: .zero)
        #expect(failure.code == .connectTimeout || failure.code == .handshakeTimeout, "\(failure)")
        #expect(turns < .seconds(20))
    }

    @Test func cancellationClosesTheConnectionAtOnce() async throws {
        try await LabServer.run(.silentAfterHello, pki: Fixture.pki) { server in
            let request = try Fixture.request(to: server.endpoint, within: .seconds(30))
            let began = Stopwatch()
            let task = Task { [transport] in await transport.handshake(request) }
            while server.acceptedConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            let report = await task.value
            #expect(report.failure == HandshakeFailure(.backendError, "the probe was cancelled"))
            #expect(began.elapsed < .seconds(15))
        }
    }

    @Test func whatIsCancelledBeforehandIsNotDialled() async throws {
        try await LabServer.run(.silent, pki: Fixture.pki) { server in
            let request = try Fixture.request(to: server.endpoint)
            let task = Task { [transport] in
                while !Task.isCancelled { await Task.yield() }
                return await transport.handshake(request)
            }
            task.cancel()
            #expect(await task.value.failure?.code == .backendError)
            #expect(server.acceptedConnections == 0)
        }
    }

    /// One thread serves all: peers that keep it waiting block no other.
    @Test func silentPeersHoldNobodyUp() async throws {
        try await LabServer.run(.silent, pki: Fixture.pki) { silent in
            let waiting = try Fixture.request(to: silent.endpoint, within: .seconds(1800))
            let idle = (0..<50).map { _ in Task { [transport] in await transport.handshake(waiting) } }
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { good in
                let began = Stopwatch()
                for _ in 0..<10 {
                    let report = await transport.handshake(try Fixture.request(to: good.endpoint))
                    #expect(report.failure == nil)
                }
                #expect(began.elapsed < .seconds(20))
            }
            for task in idle { task.cancel() }
            for task in idle { #expect(await task.value.failure?.code == .backendError) }
        }
    }

    /// The thread goes with the transport; other tests have some of their own at the same time.
    @Test func noThreadIsLeftBehind() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            for _ in 0..<60 {
                let transport = CurlTransport()
                let request = try Fixture.request(to: server.endpoint)
                #expect(await transport.handshake(request).failure == nil)
            }
        }
        try await eventually { Self.threads() <= 30 }
    }

    private static func threads() -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "probe-curl\n"
        }
    }
}
