import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@Suite(.bounded) struct HostilePeerTests {
    let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(arguments: [
        (LabPeer.silent, 0, RawClient.Ending.open), (.silentAfterHello, 0, .open), (.closes, 0, .closed),
        (.closesAfterHello, 0, .closed), (.resetsAfterHello, 0, .reset), (.closesMidHandshake, 39, .closed),
        (.halfRecord, 39, .open), (.plainSMTP, 21, .open), (.garbage, 256, .open), (.oversizedRecord, 1029, .open),
        (.alert(.handshakeFailure), 7, .closed),
    ])
    func peersDoWhatTheySay(peer: LabPeer, bytes: Int, ending: RawClient.Ending) async throws {
        let heard = try await LabServer.run(peer, pki: pki) {
            try await RawClient.talk(to: $0.endpoint, hearing: ending == .open ? bytes : .max)
        }
        #expect(heard.bytes.count == bytes)
        #expect(heard.ending == ending)
    }

    @Test(arguments: [LabPeer.endlessBytes, .endlessWarnings, .endlessEmptyRecords, .endlessMessage])
    func endlessPeersFlood(peer: LabPeer) async throws {
        let heard = try await LabServer.run(peer, pki: pki) {
            try await RawClient.talk(to: $0.endpoint)
        }
        #expect(heard.ending == .flooded)
    }

    @Test(arguments: [LabPeer.resetsAfterHello, .garbage, .plainHTTP, .alert(.handshakeFailure), .endlessBytes])
    func peersWaitForTheWholeHello(peer: LabPeer) async throws {
        let heard = try await LabServer.run(peer, pki: pki) {
            try await RawClient.talk(
                to: $0.endpoint, saying: Array(RawClient.hello.dropLast()), hearing: 0)
        }
        #expect(heard == RawClient.Heard())
    }

    @Test func alertBytes() async throws {
        let heard = try await LabServer.run(.alert(.unrecognizedName), pki: pki) {
            try await RawClient.talk(to: $0.endpoint)
        }
        #expect(heard.bytes == [21, 3, 3, 0, 2, 2, 112])
    }

    @Test(arguments: [IPAddress.loopback4, .loopback6]) func aDeadPortRefuses(address: IPAddress) async throws {
        try need(address)
        let server = try await LabServer.start(.dead, pki: pki, on: address)
        await #expect(throws: (any Error).self) { try await RawClient.talk(to: server.endpoint) }
        await server.stop()
    }

    @Test(arguments: [LabPeer.silent, .endlessBytes, .tls(LabTLSRecipe(.good))])
    func stoppingClosesEverything(peer: LabPeer) async throws {
        try need(.loopback6)
        let server = try await LabServer.start(peer, pki: pki, on: .loopback6)
        async let conversation = RawClient.talk(to: server.endpoint, saying: [22])
        while server.acceptedConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
        #expect(try await conversation.ending != .open, "the open connection was ended")
        await #expect(throws: (any Error).self) { try await RawClient.talk(to: server.endpoint) }
    }

    @Test func onlyLoopbackIsServed() async throws {
        let elsewhere = try #require(IPAddress("0.0.0.0"))
        await #expect(throws: LabError.self) { try await LabServer.start(.silent, pki: pki, on: elsewhere) }
    }
}
