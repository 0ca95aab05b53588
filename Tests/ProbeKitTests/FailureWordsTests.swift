import ProbeKit
import Testing

/// Messages about a server that did something, in words for all that it may have done.
@Suite struct FailureWordsTests {
    /// One that sends a byte now and then has not stopped.
    @Test func aDeadlineDoesNotMeanSilence() {
        #expect(
            HandshakeFailure.silent(didReceive: true).message
                == "the peer did not complete the handshake before the deadline")
        #expect(
            HandshakeFailure.silent(didReceive: false).message
                == "the peer took the connection and said nothing before the deadline")
    }

    /// HTTP has more versions than the two that a request can be made in.
    @Test(arguments: ["http/1.0", "h3", "mqtt"])
    func aProtocolWithoutARequestIsNamed(alpn: String) throws {
        let exchange = HTTPExchange(with: Target(name: try ServerName("good.test"))) { _ in true }
        let obstacle = exchange.obstacle(alpn: alpn)
        #expect(obstacle == "the server chose the protocol '\(alpn)', which is neither h2 nor http/1.1")
        #expect(["h2", "http/1.1", nil].allSatisfy { exchange.obstacle(alpn: $0) == nil })
    }
}
