import CProbeCurl
import ProbeKit
import TransportOpenSSL

/// One handshake of libcurl: an easy handle that connects, shakes hands and does nothing more (requirement 108).
///
/// It lives on the thread of ``CurlMulti``, from its first call to its last.
final class CurlHandshake {
    /// What came of it.
    struct Outcome: Sendable {
        var report: HandshakeReport
        /// Whether libcurl's own pin check was asked and content.
        var matchesPin = false
    }

    let easy: CurlEasy
    private let request: HandshakeRequest
    private let observer: CurlObserver
    private let pin: PinDigest?
    private let began = ContinuousClock.now

    /// - Parameter pin: what to ask libcurl's pin check about, instead of the name; nil does not ask it.
    init(_ request: HandshakeRequest, confirming pin: PinDigest?, anchors: OpenSSLAnchors) throws(HandshakeFailure) {
        self.request = request
        self.pin = pin
        observer = CurlObserver(request, anchors: anchors)
        guard request.alpn.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
            throw HandshakeFailure(.backendError, "an application protocol's name has 1 to 255 bytes (RFC 7301)")
        }
        do throws(CurlError) {
            easy = try CurlEasy()
            try easy.set(CURLOPT_URL, try CurlURL.of(request))
            try setConnection()
            try setTLS()
            try observer.attach(to: easy)
        } catch {
            throw error.backendFailure
        }
    }

    /// One connection to one place, by no detour, with nothing said on it but the handshake.
    private func setConnection() throws(CurlError) {
        try easy.set(CURLOPT_CONNECT_ONLY, 1)
        try easy.set(CURLOPT_CONNECT_TO, ["::" + request.endpoint.description])
        try easy.set(CURLOPT_PROTOCOLS_STR, "https")
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        try easy.set(CURLOPT_FRESH_CONNECT, 1)
        try easy.set(CURLOPT_FORBID_REUSE, 1)
        try easy.set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        // An empty proxy is none, whatever the environment says.
        try easy.set(CURLOPT_PROXY, "")
        try easy.set(CURLOPT_NOPROXY, "*")
        try easy.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try easy.set(CURLOPT_NOSIGNAL, 1)
        // A name lookup that outlasts the deadline is left to itself instead of being waited for.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        let (seconds, attoseconds) = request.deadline.remaining.components
        // Rounded up: 0 would be no limit at all.
        let milliseconds = Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) + 1
        try easy.set(CURLOPT_TIMEOUT_MS, milliseconds)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
    }

    private func setTLS() throws(CurlError) {
        let (oldest, newest) = (request.versions.lowerBound.wireValue, request.versions.upperBound.wireValue)
        try easy.set(CURLOPT_SSLVERSION, cprobe_ssl_version(CInt(oldest), CInt(newest)))
        try easy.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        try easy.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        // The anchors come through the context.
        try easy.set(CURLOPT_CAINFO, nil)
        try easy.set(CURLOPT_CAPATH, nil)
        try easy.set(CURLOPT_CERTINFO, 1)
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, pin == nil ? 2 : 0)
        if let pin { try easy.set(CURLOPT_PINNEDPUBLICKEY, "sha256//\(pin.base64)") }
    }

    /// What was seen, once libcurl is done.
    func finish(_ code: CURLcode) -> Outcome {
        let error = CurlError(code, message: easy.errorText, systemError: easy.systemError)
        var outcome = Outcome(report: facts)
        if observer.completed != nil, Self.judgements.contains(code) {
            outcome.report.failure = certinfoFailure
            outcome.report.nativeTrust = pin == nil ? trust(error) : nil
            outcome.matchesPin = pin != nil && code == CURLE_OK
        } else {
            outcome.report.failure = failure(error)
            outcome.report.nativeTrust = trust(nil)
        }
        return outcome
    }

    /// What was seen, when someone else ended it.
    func finish(_ failure: HandshakeFailure) -> Outcome {
        var outcome = Outcome(report: facts)
        outcome.report.failure = failure
        outcome.report.nativeTrust = trust(nil)
        return outcome
    }

    /// What libcurl says after a handshake that completed: content, or not with the name, or not with the pin.
    private static let judgements = [CURLE_OK, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH]

    private var facts: HandshakeReport {
        var report = observer.report
        guard let connected = observer.connected else { return report }
        report.peerAddress = easy.peerAddress
        report.timings.connect = connected - began
        report.timings.handshake = (observer.completed ?? .now) - connected
        return report
    }

    private func failure(_ error: CurlError) -> HandshakeFailure {
        guard let seen = observer.failure else {
            return error.failure(
                request.endpoint, isConnected: observer.connected != nil, hasHeardPeer: observer.hasHeardPeer)
        }
        let native = [error.name, seen.nativeCode].compactMap(\.self).joined(separator: " ")
        return HandshakeFailure(seen.code, seen.message, nativeCode: native, alert: seen.alert)
    }

    /// libcurl shows the chain a second time, by CERTINFO (rule 2).
    private var certinfoFailure: HandshakeFailure? {
        guard easy.certificates == observer.report.chain else {
            return HandshakeFailure(
                .backendError, "libcurl's CERTINFO shows another chain than its SSL context", nativeCode: nil)
        }
        return nil
    }

    /// libcurl's decision: the chain's errors, and the name if that is what it hung up for.
    ///
    /// - Parameter verdict: its last word; nil where it did not get to the name, whose rule is then applied for it.
    private func trust(_ verdict: CurlError?) -> TrustReading? {
        guard let chain = observer.chainReading, let leaf = observer.report.chain.first else { return nil }
        var problems = chain.problems
        if let verdict {
            if verdict.code == CURLE_PEER_FAILED_VERIFICATION {
                problems.append(CurlTrust.nameProblem(verdict.message))
            }
        } else if let problem = CurlTrust.judge(request.serverName, leaf: leaf) {
            problems.append(problem)
        }
        return problems.isEmpty ? .accepted(path: chain.path) : .refused(problems)
    }
}
