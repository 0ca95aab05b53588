import CProbeCurl
import ProbeCurl
import ProbeKit
import ProbeNet
import TransportOpenSSL

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
        let accept = "Accept: " + mediaType
        return method == .post ? [accept, "Content-Type: " + mediaType] : [accept]
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
                CurlError(code, message: easy.errorText, systemError: easy.systemError).failure(of: server.endpoint))
        }
        guard !response.body.isEmpty else {
            return .failure(DNSFailure(.httpContent, "the HTTP response has no body"))
        }
        return .success(response.body)
    }

    /// RFC 8484 section 4.2.1: a DNS reply, whatever its response code, comes with success and its own media type.
    private var refusal: DNSFailure? {
        guard easy.httpStatus == 200 else {
            return DNSFailure(.httpStatus, "the server answers with HTTP status \(easy.httpStatus)")
        }
        let claimed = easy.contentType ?? ""
        let type = claimed.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard type == Self.mediaType else {
            let shown = MasterFileText.escape(claimed.utf8.prefix(80))
            return DNSFailure(
                .httpContent,
                claimed.isEmpty
                    ? "the HTTP response has no content type" : "the HTTP response is of the content type \"\(shown)\"")
        }
        return nil
    }
}
