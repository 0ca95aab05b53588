import CProbeCurl
import ProbeKit

/// The URL that makes libcurl ask for a server name.
enum CurlURL {
    /// - Throws: an error when libcurl would ask for another name, as it does for all spellings of IPv4 addresses that the
    ///   resolver of old took (`127.1`).
    static func of(_ request: HandshakeRequest) throws(CurlError) -> String {
        let authority = Endpoint(host: request.serverName, port: request.endpoint.port)
        let url = "https://\(authority)/"
        guard let host = host(in: url) else {
            throw CurlError(CURLE_URL_MALFORMAT, message: "it takes no URL for \(request.serverName)")
        }
        let wanted = "\(Endpoint(host: request.serverName, port: 0))".dropLast(":0".count)
        guard host == wanted else {
            throw CurlError(CURLE_URL_MALFORMAT, message: "it reads the name \(request.serverName) as \(host)")
        }
        return url
    }

    private static func host(in url: String) -> String? {
        guard let parts = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(parts) }
        guard unsafe curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(parts, CURLUPART_HOST, &text, 0) == CURLUE_OK, let text = unsafe text else {
            return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
