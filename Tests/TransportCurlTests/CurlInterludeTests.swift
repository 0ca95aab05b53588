import ProbeKit
import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeCurl
@testable import TransportCurl

/// What a server does between the handshake and the request, as its socket shows it.
@Suite(.bounded) struct CurlInterludeTests {
    private static let long = Duration.seconds(3600)

    /// The acts of a server.
    private enum Act { case sends, ends }

    init() throws {
        try CurlLibrary.prepare()
    }

    /// Returns the interlude after acts before it, and others before its end.
    private func interlude(
        _ acts: [Act] = [], patience: Duration = long, wanted: Duration = long, by deadline: Deadline = .after(long),
        then last: [Act] = []
    ) throws -> CurlInterlude {
        let (sockets, easy) = (try OpenedSocketsTests.Sockets(), try CurlEasy())
        defer { withExtendedLifetime(sockets) {} }
        func play(_ acts: [Act]) {
            for act in acts {
                switch act {
                case .sends: #expect(unsafe write(sockets.peer, [UInt8(23)], 1) == 1)
                case .ends: #expect(shutdown(sockets.peer, CInt(SHUT_WR)) == 0)
                }
            }
        }
        easy.opened.keep(sockets.own)
        var interlude = CurlInterlude()
        play(acts)
        interlude.listen(to: easy, for: patience, until: { wanted }, by: deadline) { true }
        play(last)
        interlude.end(of: easy)
        return interlude
    }

    @Test func anEndBehindEarlyDataIsEarly() throws {
        for acts in [[Act.sends, .ends], [.ends]] {
            let interlude = try interlude(acts)
            #expect(interlude.hasSpoken && interlude.hasEndedEarly && interlude.hasEnded && !interlude.wasCut)
        }
    }

    /// Data from then on may be an answer to the client's Finished, and the end behind them is not a refusal of it.
    @Test func anEndAfterTheTimeToAnswerIsNotEarly() throws {
        for wanted in [Duration.zero, .milliseconds(1)] {
            let open = try interlude([.sends], wanted: wanted)
            #expect(open.hasSpoken && !open.hasEndedEarly && !open.hasEnded && !open.wasCut)
            let ended = try interlude([.sends], wanted: wanted, then: [.ends])
            #expect(ended.hasSpoken && !ended.hasEndedEarly && ended.hasEnded && !ended.wasCut)
        }
    }

    @Test func aDeadlineCutsTheWait() throws {
        let interlude = try interlude([.sends], by: .after(.milliseconds(20)))
        #expect(interlude.hasSpoken && interlude.wasCut && !interlude.hasEndedEarly && !interlude.hasEnded)
        // An end that is there already is seen in no time.
        let ended = try self.interlude([.sends, .ends], by: .after(.zero))
        #expect(ended.hasEndedEarly && !ended.wasCut)
    }

    @Test func aSilentServerIsWaitedForInVain() throws {
        let interlude = try interlude(patience: .milliseconds(1))
        #expect(!interlude.hasSpoken && !interlude.hasEndedEarly && !interlude.hasEnded && !interlude.wasCut)
    }

    /// In halves: a request takes about as long as a handshake, and the wait for an early end no longer.
    @Test(arguments: [(12, 4), (8, 4), (6, 3), (1, 0.5), (0, 0)])
    func theRequestKeepsAsMuchTime(remaining: Double, share: Double) {
        #expect(CurlInterlude.share(of: .seconds(4), in: .seconds(remaining)) == .seconds(share))
    }

    /// Data among them are not an answer.
    @Test func theBytesBeforeTheRequestAreCounted() throws {
        #expect(try interlude([.sends, .sends], wanted: .zero).unread == 2)
        #expect(try interlude([.sends], wanted: .zero, then: [.sends, .ends]).unread == 2)
        #expect(try interlude(patience: .milliseconds(1)).unread == 0)
        #expect(try CurlEasy().unreadBytes == 0)
    }

    @Test func aResponseBeforeTheRequestIsNotAnAnswer() throws {
        func reason(_ acts: [Act], _ version: String = "http/1.1", data: Bool = false, then: [Act] = []) throws
            -> String?
        {
            let response = HTTPReport(.response(HTTPReport.Response(version: version, status: 200)))
            let interlude = try interlude(acts, patience: .milliseconds(1), wanted: .zero, then: then)
            let answer = interlude.answer(in: response, didReceiveEarlyData: data)
            guard case .unavailable(let reason) = answer.outcome else { return nil }
            return reason
        }
        let (early, ended) = (
            "the server sent data before the request", "the peer closed the connection before the request"
        )
        #expect(try reason([.sends], data: true) == early)
        // The first word may be a ticket, and in HTTP/2 data may be the server's settings.
        #expect(try reason([.sends]) == nil && reason([.sends], "h2", data: true) == nil)
        #expect(try reason([]) == nil)
        for version in ["http/1.1", "h2"] {
            #expect(try reason([.sends], version, then: [.ends]) == ended)
            #expect(try reason([], version, then: [.sends, .ends]) == ended)
        }
    }
}
