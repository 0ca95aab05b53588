import NIOCore
import NIOPosix
import ProbeKit
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeNet

@Suite(.bounded) struct DNSConnectionTests {
    /// The end of a connection with NIO's own patience, which is begun later, shows that this patience has passed.
    @Test func aConnectionHasTimeUntilTheDeadline() async throws {
        let full = try FullListener()
        let server = try Endpoint(host: .ip(.loopback4), port: full.port).socketAddress()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let hasEnded = Mutex(false)
        let open = OpenChannel()
        let dialled = DNSSocket.dial(server, by: .after(.seconds(1800)), on: loop) { channel in
            _ = open.adopt(channel)
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        dialled.whenComplete { _ in hasEnded.withLock { $0 = true } }
        await #expect(throws: ChannelError.self) {
            _ = try await ClientBootstrap(group: loop).connect(to: server).get()
        }
        let wasGivenUp = hasEnded.withLock { $0 }
        #expect(!wasGivenUp)
        open.close()
        await #expect(throws: (any Error).self) { _ = try await dialled.get() }
        withExtendedLifetime(full) {}
    }
}
