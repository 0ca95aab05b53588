import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeCurl

/// The socket that is waited on, where libcurl opened several: the one of the connection, or none.
@Suite(.bounded) struct OpenedSocketsTests {
    struct NoSocket: Error {}

    init() throws {
        try CurlLibrary.prepare()
    }

    /// A connected socket and its peer, and one without a connection; closed at the end, whatever the numbers stand for by then.
    final class Sockets {
        let own: CInt
        let peer: CInt
        let unconnected: CInt

        init() throws {
            var pair: [CInt] = [-1, -1]
            guard unsafe socketpair(AF_UNIX, Platform.stream, 0, &pair) == 0 else { throw NoSocket() }
            own = pair[0]
            peer = pair[1]
            unconnected = socket(AF_INET, Platform.stream, 0)
        }

        deinit {
            for descriptor in [own, peer, unconnected] { close(descriptor) }
        }
    }

    /// The loser of happy eyeballs was opened last, and its number has become a stranger's, which has nothing to read.
    @Test func theLoserIsNotWaitedOn() throws {
        let (sockets, strangers, easy) = (try Sockets(), try Sockets(), try CurlEasy())
        defer { withExtendedLifetime((sockets, strangers)) {} }
        easy.opened.keep(sockets.own)
        easy.opened.keep(sockets.unconnected)
        #expect(easy.opened.connected == sockets.own)
        #expect(dup2(strangers.own, sockets.unconnected) == sockets.unconnected)
        #expect(easy.opened.connected == sockets.own)
        #expect(shutdown(sockets.peer, CInt(SHUT_RDWR)) == 0)
        let isSeen = easy.awaitPeer(for: .seconds(1800)) { true }
        #expect(isSeen)
    }

    /// The wait ends at once where nothing can come: without a socket, with one whose number is another's, and without a
    /// connection.
    @Test func nothingIsWaitedForInVain() throws {
        let (sockets, strangers, easy) = (try Sockets(), try Sockets(), try CurlEasy())
        defer { withExtendedLifetime((sockets, strangers)) {} }
        func seesPeer() -> Bool { easy.awaitPeer(for: .seconds(1800)) { true } }
        #expect(!seesPeer())
        easy.opened.keep(sockets.unconnected)
        #expect(easy.opened.connected == sockets.unconnected)
        #expect(!seesPeer())
        #expect(dup2(strangers.own, sockets.unconnected) == sockets.unconnected)
        #expect(easy.opened.connected == nil)
        #expect(!seesPeer())
    }

    /// More sockets than are kept leave the last ones.
    @Test func theLastOnesAreKept() throws {
        let (sockets, easy) = (try Sockets(), try CurlEasy())
        defer { withExtendedLifetime(sockets) {} }
        for _ in 0..<40 { easy.opened.keep(sockets.unconnected) }
        easy.opened.keep(sockets.own)
        #expect(easy.opened.connected == sockets.own)
    }
}
