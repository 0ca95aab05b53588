import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// The context of a transport: making one takes longer than a handshake.
@Suite(.bounded) struct FirstUseTests {
    @Test func copiesShareOneContext() throws {
        let firstUse = NIOSSLFirstUse()
        let copy = firstUse
        let isShared = try firstUse.context() === copy.context()
        #expect(isShared)
        let isOwn = try NIOSSLFirstUse().context() !== firstUse.context()
        #expect(isOwn)
    }
}
