import NIOCore
import NIOPosix
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeNet

/// A backend's connections live on the event loops, and dial the addresses, that it was given.
@Suite(.bounded) struct ProbeNetworkTests {
    @Test func connectionsUseTheGivenLoopsAndLookup() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let asked = Mutex<[String]>([])
        let network = ProbeNetwork(
            group: group,
            lookup: HostLookup { name in
                asked.withLock { $0.append(name) }
                return .success([.loopback4])
            })
        let report = try await LabServer.run(.silent, pki: LabPKI(epoch: .now)) { server in
            let endpoint = Endpoint(host: try ServerName("nowhere.test"), port: server.endpoint.port)
            let request = HandshakeRequest(
                endpoint: endpoint, serverName: endpoint.host, anchors: .none, instant: .now,
                deadline: .after(.seconds(1800)))
            return await HandshakeDriver.run(request, over: network) { _ throws(HandshakeFailure) in
                throw HandshakeFailure(.unsupported, loop.inEventLoop ? "ours" : "another's")
            }
        }
        try await group.shutdownGracefully()
        #expect(report.failure?.message == "ours")
        #expect(asked.withLock { $0 } == ["nowhere.test"])
    }
}
