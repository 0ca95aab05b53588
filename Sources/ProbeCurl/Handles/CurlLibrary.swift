import CProbeCurl
package import ProbeKit

/// libcurl, opened when something asks about it and set up once for the process.
package enum CurlLibrary {
    private static let setUp = cprobe_global_init()

    /// The reason why it can't be used: it is not there, or it is built with another library than OpenSSL, with which nothing
    /// here would work.
    package static var absence: BackendAbsence? {
        let fault = unsafe cprobe_curl_fault().map { unsafe String(cString: $0) }
        if let absence = BackendAbsence(fault, of: "libcurl.so.4", package: "libcurl4") { return absence }
        guard unsafe cprobe_curl_is_over("libssl.so.3") == 1 else {
            return BackendAbsence(
                reason: "libcurl.so.4 is built with \(tlsVersion), not with libssl.so.3",
                remedy: "install a libcurl that is, like Debian's libcurl4")
        }
        return nil
    }

    /// Sets the library up.
    static func prepare() throws(CurlError) {
        if let absence { throw CurlError(CURLE_FAILED_INIT, message: absence.description) }
        guard setUp == CURLE_OK else { throw CurlError(setUp) }
    }

    /// True if it supports HTTP/2, through nghttp2.
    package static var speaksHTTP2: Bool { absence == nil && cprobe_has_http2() != 0 }

    /// Returns the identity of libcurl and the TLS library below it, like `7.88.1 (OpenSSL/3.0.22)`.
    package static func identity(_ name: String) -> BackendIdentity {
        guard absence == nil, let version = unsafe cprobe_curl_version() else {
            return BackendIdentity(name: name, library: "libcurl", version: "unknown")
        }
        return unsafe BackendIdentity(
            name: name, library: "libcurl", version: "\(String(cString: version)) (\(tlsVersion))")
    }

    private static var tlsVersion: String {
        unsafe cprobe_curl_tls_version().map { unsafe String(cString: $0) } ?? "no TLS library"
    }
}
