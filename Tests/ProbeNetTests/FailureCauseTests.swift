import Foundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// The causes within a failure's code, where the failures are made.
@Suite(.bounded) struct FailureCauseTests {
    private static let place = Endpoint(host: .ip(.loopback4), port: 1)

    @Test("a socket's path that leads nowhere differs from an unreachable network") func sockets() {
        for (number, cause) in [(ENOENT, .noSocket), (ENETUNREACH, nil)] as [(CInt, HandshakeFailure.Cause?)] {
            let failure = ConnectFailure.of(errno: number, dialled: "the socket /x")
            #expect(failure.code == .networkUnreachable && failure.cause == cause)
            #expect(failure.nativeCode == "errno \(number)")
        }
    }

    @Test(
        "a proxy's refusal over credentials differs from its other refusals",
        arguments: [
            (.http, Array("HTTP/1.1 407 Who\r\n\r\n".utf8), "HTTP 407", .proxyCredentials),
            (.http, Array("HTTP/1.1 403 No\r\n\r\n".utf8), "HTTP 403", nil),
            (.http, Array("HTTP/1.1 404 No\r\n\r\n".utf8), "HTTP 404", nil),
            (.http, Array("HTTP/1.1 408 Late\r\n\r\n".utf8), "HTTP 408", .temporary),
            (.http, Array("HTTP/1.1 429 Too Many\r\n\r\n".utf8), "HTTP 429", .temporary),
            (.socks5h, [5, 0xff], "SOCKS method 255", .proxyCredentials),
            (.socks5h, [5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0], "SOCKS reply 2", nil),
        ] as [(HandshakeRequest.Proxy.Scheme, [UInt8], String, HandshakeFailure.Cause?)])
    func proxies(
        scheme: HandshakeRequest.Proxy.Scheme, answer: [UInt8], nativeCode: String, cause: HandshakeFailure.Cause?
    ) throws {
        let request = HandshakeRequest(
            endpoint: Self.place, serverName: try ServerName("good.test"), anchors: .none, instant: .distantPast,
            deadline: .after(.seconds(1800)), route: .proxy(HandshakeRequest.Proxy(scheme, at: Self.place)))
        var run = try #require(DialogueRun(request, to: Self.place))
        var end = run.receive([])
        for byte in answer {
            guard case .waits = end else { break }
            end = run.receive([byte])
        }
        guard case .failed(let failure) = end else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .proxyRefused && failure.nativeCode == nativeCode && failure.cause == cause)
    }

    @Test("a lookup of records differs from one of addresses") func records() async throws {
        let broken = LabDNSZone(.reply(LabDNSMessage(responseCode: .serverFailure)))
        let course = try await LabDNSServer.run(broken) { server in
            await Following(RecordLookup(at: [server.endpoint]))
                .follow(try Target("a.test"), by: .after(.seconds(1800)))
        }
        guard case .failure(let failure) = course.targets else {
            Issue.record("it found servers")
            return
        }
        #expect(failure.code == .nameLookupFailed && failure.cause == .recordLookup)
        #expect(LookupFailure(code: EAI_AGAIN).handshakeFailure(dialling: Self.place).cause == nil)
    }
}
