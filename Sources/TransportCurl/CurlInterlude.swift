import ProbeCurl
import ProbeKit

/// The time between a handshake and the request, in which a server that asked for a client certificate may refuse the client.
///
/// Its bytes can't be decrypted meanwhile: they may be a refusal, a ticket, or data for a client that has not authenticated
/// (RFC 8446 section 2).
struct CurlInterlude {
    /// True if the server sent something, or ended the connection.
    private(set) var hasSpoken = false
    /// True if it ended the connection before it could have answered the client's Finished with data: what it sent besides
    /// does not show that it accepted the client.
    private(set) var hasEndedEarly = false
    /// True if the deadline left no time to see whether it does.
    private(set) var wasCut = false
    /// True if it ended the connection before the request could be sent: nothing that it sent is an answer.
    private(set) var hasEnded = false
    /// The bytes that came before the request, and were not read by then.
    private(set) var unread = 0

    /// Waits for the server's first word and, if it may be data that came too early to be an answer, for the end behind it.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait for the first word.
    ///   - timeToAnswer: returns the time until data may be an answer.
    ///   - shouldContinue: asked at short intervals; false ends the waits.
    mutating func listen(
        to easy: CurlEasy, for patience: Duration, until timeToAnswer: () -> Duration, by deadline: Deadline,
        while shouldContinue: () -> Bool
    ) {
        hasSpoken = easy.awaitPeer(for: patience, while: shouldContinue)
        let wanted = timeToAnswer()
        guard hasSpoken, wanted > .zero else { return }
        let given = Self.share(of: wanted, in: deadline.remaining)
        hasEndedEarly = easy.awaitEnd(for: given, while: shouldContinue)
        wasCut = given < wanted && !hasEndedEarly
    }

    /// Ends the interlude, right before the request.
    mutating func end(of easy: CurlEasy) {
        unread = easy.unreadBytes
        hasEnded = easy.awaitEnd(for: .zero) { true }
    }

    /// Returns the part of a wait that leaves the request as much time: it takes about as long as the handshake.
    static func share(of wanted: Duration, in remaining: Duration) -> Duration { min(wanted, remaining / 2) }

    /// Returns a report without a response that came before the request: in HTTP/1.1 the server does not speak first.
    ///
    /// - Parameter didReceiveEarlyData: true if data came before the request.
    func answer(in report: HTTPReport, didReceiveEarlyData: Bool) -> HTTPReport {
        guard let response = report.response else { return report }
        if hasEnded { return HTTPReport(.unavailable(reason: "the peer closed the connection before the request")) }
        return didReceiveEarlyData && response.version == "http/1.1"
            ? HTTPReport(.unavailable(reason: "the server sent data before the request")) : report
    }
}
