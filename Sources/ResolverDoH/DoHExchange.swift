import CProbeCurl
import CProbeOpenSSL
import ProbeCurl
import ProbeKit
import ProbeNet
import ProbeOpenSSL
import ProbePlatform

/// One HTTP request that carries a query, and the response that should carry its reply. It lives on libcurl's thread.
final class DoHExchange: CurlTransfer {
    let easy: CurlEasy
    private let response = DoHResponse()
    private let verification: DoHVerification
    private let server: DoHServer

    static func start(_ order: DoHOrder, anchors: OpenSSLAnchors) -> CurlStart<DoHExchange> {
        do {
            return .begun(try DoHExchange(order, anchors: anchors))
        } catch {
            return .over(.failure(error))
        }
    }

    private init(_ order: DoHOrder, anchors: OpenSSLAnchors) throws(DNSFailure) {
        server = order.server
        verification = try DoHVerification(order, anchors: anchors)
        do throws(CurlError) {
            easy = try CurlEasy()
            let url = try CurlURL.of(server.name, port: server.port, path: order.path)
            try easy.connectOnce(to: server.endpoint, for: url, by: order.deadline)
            try easy.set(CURLOPT_HTTP_VERSION, Int(cprobe_http2_over_tls()))
            try easy.set(CURLOPT_HTTPHEADER, Self.fields(server.method))
            if server.method == .post { try easy.setPost(order.message) }
            try verification.attach(to: easy)
            try response.attach(to: easy)
        } catch {
            throw error.code == CURLE_URL_MALFORMAT
                ? DNSFailure(.badQuery, "libcurl: \(error.message)") : error.backendFailure
        }
    }

    private static let mediaType = "application/dns-message"

    private static func fields(_ method: DoHServer.Method) -> [String] {
        // Without the second field any coding is permitted (RFC 9110 section 12.5.3).
        let accept = ["Accept: " + mediaType, "Accept-Encoding: identity"]
        return method == .post ? accept + ["Content-Type: " + mediaType] : accept
    }

    func finish(_ end: CurlEnd) -> Result<[UInt8], DNSFailure> {
        switch end {
        case .cancelled: .failure(.cancelled)
        case .broken(let error): .failure(DNSFailure(.backendError, "libcurl: \(error.message) (\(error.name))"))
        case .done(let code): finish(code)
        }
    }

    private func finish(_ code: CURLcode) -> Result<[UInt8], DNSFailure> {
        // A response whose head is not a reply's is refused for that, however its body ends.
        if let failure = (response.isFinal ? refusal : nil) ?? response.excess { return .failure(failure) }
        guard code == CURLE_OK else {
            return .failure(
                CurlError(code, message: easy.errorText, systemError: easy.systemError)
                    .failure(of: server, verified: easy.verifyResult))
        }
        guard !response.body.isEmpty else {
            return .failure(DNSFailure(.httpContent, "the HTTP response has no body"))
        }
        return .success(response.body)
    }

    /// RFC 8484 section 4.2.1: a DNS reply, whatever its response code, comes with success and its own media type.
    private var refusal: DNSFailure? {
        guard easy.httpStatus == 200 else {
            return DNSFailure(
                .httpStatus, "the server answers with HTTP status \(easy.httpStatus)",
                cause: .status(easy.httpStatus))
        }
        let claimed = easy.contentType ?? ""
        guard Self.trimmed(claimed.prefix { $0 != ";" }).lowercased() == Self.mediaType else {
            let shown = MasterFileText.escape(claimed.utf8.prefix(80))
            return DNSFailure(
                .httpContent,
                claimed.isEmpty
                    ? "the HTTP response has no content type" : "the HTTP response is of the content type \"\(shown)\"")
        }
        let codings = easy.fields(named: "content-encoding").flatMap { $0.split(separator: ",").map(Self.trimmed) }
        guard let coding = codings.first(where: { !$0.isEmpty && $0.lowercased() != "identity" }) else { return nil }
        return DNSFailure(
            .httpContent,
            "the HTTP response has the content coding \"\(MasterFileText.escape(coding.utf8.prefix(80)))\", "
                + "and was asked for without one")
    }

    /// Returns a text without the blanks at its ends (OWS in RFC 9110 section 5.6.3).
    private static func trimmed(_ text: Substring) -> Substring {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let end = text.lastIndex { !isBlank($0) }.map(text.index(after:)) ?? text.startIndex
        return text[..<end].drop(while: isBlank)
    }
}

/// Collects one response as libcurl delivers it, and stops it if it grows beyond the size of a reply. It has to outlive
/// the easy handle it is attached to; the callbacks run on the thread that drives libcurl.
final class DoHResponse {
    private(set) var body: [UInt8] = []
    private var head = CurlResponseHead()
    /// The reason why it was stopped.
    private(set) var excess: DNSFailure?

    /// A DNS message's greatest size, and more than any head needs.
    private static let limit = 65_535

    /// True if the head of the final response is complete.
    var isFinal: Bool { head.isComplete }

    func attach(to easy: CurlEasy) throws(CurlError) {
        let data = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe easy.set(
            CURLOPT_HEADERFUNCTION,
            function: { bytes, size, count, data in
                unsafe DoHResponse.pass(bytes, size * count, data) { unsafe $0.takeHead($1) }
            }, CURLOPT_HEADERDATA, data: data)
        try unsafe easy.set(
            CURLOPT_WRITEFUNCTION,
            function: { bytes, size, count, data in
                unsafe DoHResponse.pass(bytes, size * count, data) { unsafe $0.takeBody($1) }
            }, CURLOPT_WRITEDATA, data: data)
    }

    /// Returns the number of bytes taken; fewer than received makes libcurl stop.
    private static func pass(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ data: UnsafeMutableRawPointer?,
        to take: (DoHResponse, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let data = unsafe data else { return 0 }
        let response = unsafe Unmanaged<DoHResponse>.fromOpaque(data).takeUnretainedValue()
        return unsafe take(response, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    /// Takes one line of a head.
    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe head.take(line)
        guard head.bytes <= Self.limit else {
            excess = DNSFailure(.httpContent, "the head of the HTTP response is longer than \(Self.limit) bytes")
            return false
        }
        return true
    }

    private func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard body.count + piece.count <= Self.limit else {
            excess = DNSFailure(.httpContent, "the body of the HTTP response is longer than \(Self.limit) bytes")
            return false
        }
        unsafe body.append(contentsOf: piece)
        return true
    }
}

/// One connection's anchors and instant: libcurl takes anchors from files and the time from the system, so both are set on
/// the `SSL_CTX` it makes. It has to outlive the easy handle it is attached to.
final class DoHVerification {
    private let store: OpenSSLStore
    private let time: time_t?
    private var bound: OpenSSLInputBound

    init(_ order: DoHOrder, anchors: OpenSSLAnchors) throws(DNSFailure) {
        bound = OpenSSLInputBound(until: order.deadline)
        time = try order.instant.map { instant throws(DNSFailure) in
            guard let time = time_t(exactly: instant.timeIntervalSince1970.rounded(.down)) else {
                throw DNSFailure(.badQuery, "the instant is out of range")
            }
            return time
        }
        do throws(OpenSSLError) {
            store = try anchors.store(for: order.server.anchors)
        } catch {
            throw DNSFailure(.backendError, "OpenSSL: \(error.message)")
        }
    }

    /// Has the handle's connection verified, chain and name.
    func attach(to easy: CurlEasy) throws(CurlError) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        try unsafe easy.set(
            contextFunction: { _, context, data in
                guard let context = unsafe context, let data = unsafe data else { return CURLE_ABORTED_BY_CALLBACK }
                let verification = unsafe Unmanaged<DoHVerification>.fromOpaque(data).takeUnretainedValue()
                return unsafe verification.take(OpaquePointer(context))
            }, data: Unmanaged.passUnretained(self).toOpaque())
    }

    private func take(_ context: OpaquePointer) -> CURLcode {
        guard let parameters = unsafe SSL_CTX_get0_param(context) else { return CURLE_ABORTED_BY_CALLBACK }
        unsafe SSL_CTX_set1_cert_store(context, store.pointer)
        // Any given anchor is accepted as one.
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST))
        unsafe cprobe_ctx_set_message_data(context, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_CTX_set_msg_callback(context) { isWritten, _, type, bytes, count, ssl, data in
            guard isWritten == 0, type == SSL3_RT_HEADER, let bytes = unsafe bytes, let ssl = unsafe ssl,
                let data = unsafe data
            else { return }
            // A reply and its head are far smaller than what a handshake may be.
            _ = unsafe Unmanaged<DoHVerification>.fromOpaque(data).takeUnretainedValue()
                .bound.take(UnsafeRawBufferPointer(start: bytes, count: count), ssl)
        }
        if let time { unsafe X509_VERIFY_PARAM_set_time(parameters, time) }
        return CURLE_OK
    }
}
