import CProbeCurl
package import ProbeKit

extension CurlEasy {
    /// Configures one direct connection to one endpoint, for this transfer alone: the environment, earlier transfers
    /// and libcurl's defaults for certificates do not affect it.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint to dial, whatever the URL's host is.
    ///   - url: the URL, which also sets SNI and the name to verify.
    ///   - deadline: the deadline of the transfer.
    package func connectOnce(to endpoint: Endpoint, for url: String, by deadline: Deadline) throws(CurlError) {
        try set(CURLOPT_URL, url)
        try set(CURLOPT_CONNECT_TO, ["::" + endpoint.description])
        try set(CURLOPT_PROTOCOLS_STR, "https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_FRESH_CONNECT, 1)
        try set(CURLOPT_FORBID_REUSE, 1)
        try set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        // An empty proxy disables proxies, whatever the environment contains.
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_NOPROXY, "*")
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_NOSIGNAL, 1)
        // A name lookup that outlasts the deadline is left to itself instead of being waited for.
        try set(CURLOPT_QUICK_EXIT, 1)
        // 0 would mean no limit at all.
        let milliseconds = max(1, deadline.remaining.millisecondsRoundedUp)
        try set(CURLOPT_TIMEOUT_MS, milliseconds)
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        try set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        // The anchors come through the SSL context.
        try set(CURLOPT_CAINFO, nil)
        try set(CURLOPT_CAPATH, nil)
    }
}

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
