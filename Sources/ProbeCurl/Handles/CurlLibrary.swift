import CProbeCurl
package import ProbeKit

/// libcurl as loaded, set up once for the process.
package enum CurlLibrary {
    private static let setUp = cprobe_global_init()

    /// Sets the library up.
    ///
    /// - Throws: an error if this libcurl does not use OpenSSL: nothing here would work with another library.
    package static func prepare() throws(CurlError) {
        guard setUp == CURLE_OK else { throw CurlError(setUp) }
        guard tlsVersion.hasPrefix("OpenSSL/") else {
            throw CurlError(CURLE_NOT_BUILT_IN, message: "this libcurl is built with \(tlsVersion), not with OpenSSL")
        }
    }

    /// True if it supports HTTP/2, through nghttp2.
    package static var speaksHTTP2: Bool { cprobe_has_http2() != 0 }

    /// Returns the identity of libcurl and the TLS library below it, like `7.88.1 (OpenSSL/3.0.22)`.
    package static func identity(_ name: String) -> BackendIdentity {
        let version = unsafe cprobe_curl_version().map { unsafe String(cString: $0) } ?? "unknown"
        return BackendIdentity(name: name, library: "libcurl", version: "\(version) (\(tlsVersion))")
    }

    private static var tlsVersion: String {
        unsafe cprobe_curl_tls_version().map { unsafe String(cString: $0) } ?? "no TLS library"
    }
}
