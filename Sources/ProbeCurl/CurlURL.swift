import CProbeCurl
package import ProbeKit

/// The URL that makes libcurl ask for a server's name.
package enum CurlURL {
    /// - Throws: an error if libcurl would ask for another name, as it does for all spellings of IPv4 addresses that
    ///   old resolvers accepted (`127.1`).
    package static func of(_ name: ServerName, port: UInt16, path: String = "/") throws(CurlError) -> String {
        let url = "https://\(Endpoint(host: name, port: port))\(path)"
        guard let host = host(in: url) else {
            throw CurlError(CURLE_URL_MALFORMAT, message: "it takes no URL for \(name)")
        }
        let wanted = "\(Endpoint(host: name, port: 0))".dropLast(":0".count)
        guard host == wanted else {
            throw CurlError(CURLE_URL_MALFORMAT, message: "it reads the name \(name) as \(host)")
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
