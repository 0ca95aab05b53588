import CProbeCurl
import ProbeCurl
import ProbeKit
import ProbeNet

/// The HEAD request of one transfer: has libcurl send it in the protocol that was negotiated, and reads the answer.
///
/// It has to outlive the easy handle it is attached to; the callbacks run on the thread that drives libcurl.
final class CurlHead {
    /// Called when the head of a response in HTTP/1.1 is complete; libcurl goes on when it returns.
    var didComplete: (() -> Void)?
    private let exchange: HTTPExchange
    private let gate: CurlGate
    /// True if the request was approved; nil if approval was not asked for.
    private(set) var isApproved: Bool?
    /// True if it was approved, and nothing stands in its way.
    private(set) var mayBeSent = false
    /// True if libcurl was about to send the request, having accepted chain and name.
    private(set) var isReady = false
    /// The reason why there is nothing to send, approved or not.
    private var obstacle: String?
    private var approved: ContinuousClock.Instant?
    private var lines = CurlResponseHead()
    /// The response in HTTP/1.1; nil if the server chose HTTP/2.
    private var head: ResponseHead?

    init(_ exchange: HTTPExchange, _ gate: CurlGate) {
        self.exchange = exchange
        self.gate = gate
    }

    /// Sets the request up, and nothing else: no redirect, no cookie, no field that is not needed.
    func attach(to easy: CurlEasy, alpn: [String]) throws(CurlError) {
        try easy.set(CURLOPT_NOBODY, 1)
        try easy.set(CURLOPT_PATH_AS_IS, 1)
        try easy.set(CURLOPT_SSL_ENABLE_ALPN, 1)
        try easy.set(
            CURLOPT_HTTP_VERSION, Int(alpn.contains("h2") ? cprobe_http2_over_tls() : cprobe_http11()))
        try easy.set(CURLOPT_HTTPHEADER, ["Host: " + exchange.authority, "Accept:"])
        try easy.set(CURLOPT_USERAGENT, HTTPExchange.userAgent)
        let data = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe easy.set(
            requestFunction: { data, _, _, _, _ in
                guard let data = unsafe data else { return CURL_PREREQFUNC_ABORT }
                return unsafe Unmanaged<CurlHead>.fromOpaque(data).takeUnretainedValue().takeTurn()
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            }, data: data)
        try unsafe easy.set(
            CURLOPT_HEADERFUNCTION,
            function: { line, size, count, data in
                guard let data = unsafe data else { return 0 }
                let head = unsafe Unmanaged<CurlHead>.fromOpaque(data).takeUnretainedValue()
                let bytes = unsafe UnsafeRawBufferPointer(start: line, count: size * count)
                unsafe head.take(bytes)
                return size * count
            }, CURLOPT_HEADERDATA, data: data)
        // Otherwise libcurl would write to standard output any data that a server sends after a head without a body.
        try unsafe easy.set(
            CURLOPT_WRITEFUNCTION, function: { _, size, count, _ in size * count }, CURLOPT_WRITEDATA, data: data)
    }

    /// Takes a line of the response's head.
    private func take(_ line: UnsafeRawBufferPointer) {
        let wasComplete = lines.isComplete
        unsafe lines.take(line)
        unsafe head?.take(line)
        if head != nil, lines.isComplete, !wasComplete { didComplete?() }
    }

    /// True if the request may still be approved.
    var isWanted: Bool { !gate.isAnswered }

    /// Has the request approved, when the handshake is complete.
    func approve(_ report: HandshakeReport) -> Bool {
        let isApproved = gate.ask(report)
        self.isApproved = isApproved
        obstacle = exchange.obstacle(alpn: report.alpn)
        head = report.alpn == "h2" ? nil : ResponseHead()
        approved = .now
        mayBeSent = isApproved && obstacle == nil
        return mayBeSent
    }

    private func takeTurn() -> Bool {
        isReady = true
        return mayBeSent
    }

    /// Returns the result; nil if it was not approved.
    func report(_ easy: CurlEasy, _ end: CurlEnd, over connection: CurlObserver) -> HTTPReport? {
        guard isApproved == true else { return nil }
        if let obstacle { return HTTPReport(.unavailable(reason: obstacle)) }
        if let answer = head?.answer, case .unavailable = answer { return HTTPReport(answer) }
        guard lines.isComplete, case .done(CURLE_OK) = end,
            let answer = head.map(\.answer)
                ?? ResponseHead.answer(easy.httpStatus, version: "h2", values: easy.fields(named:))
        else { return HTTPReport(.unavailable(reason: reason(easy, end, connection))) }
        let hasResponse = if case .response = answer { true } else { false }
        return HTTPReport(answer, duration: hasResponse ? approved.map { $0.duration(to: .now) } : nil)
    }

    private func reason(_ easy: CurlEasy, _ end: CurlEnd, _ connection: CurlObserver) -> String {
        if connection.late.receivedTooMuch { return HTTPExchange.excess }
        if connection.late.asksTooOften { return RecordFailure.askedTooOften.message }
        if connection.wasOfferedAnother {
            return "the server refused the request, and it is not made again over another connection"
        }
        switch end {
        case .cancelled: return HandshakeFailure.cancelled.message
        case .broken(let error): return "libcurl: \(error.message) (\(error.name))"
        case .done(CURLE_OK): return "the peer closed the connection without a response"
        case .done(CURLE_OPERATION_TIMEDOUT): return "no response before the deadline"
        case .done(let code):
            let error = CurlError(code, message: easy.errorText)
            return "there is no response: \(error.message) (\(error.name))"
        }
    }
}
