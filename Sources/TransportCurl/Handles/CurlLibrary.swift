import CProbeCurl
import ProbeKit

/// libcurl as loaded, set up once for the process.
enum CurlLibrary {
    private static let setUp = cprobe_global_init()

    /// Sets the library up.
    ///
    /// - Throws: a failure when this libcurl is not the OpenSSL flavour: nothing here would work on another one.
    static func prepare() throws(HandshakeFailure) {
        guard setUp == CURLE_OK else { throw CurlError(setUp).backendFailure }
        guard tlsVersion.hasPrefix("OpenSSL/") else {
            throw HandshakeFailure(.backendError, "this libcurl is built with \(tlsVersion), not with OpenSSL")
        }
    }

    /// libcurl and the TLS library below it, like `7.88.1 (OpenSSL/3.0.22)`.
    static var identity: BackendIdentity {
        let version = unsafe cprobe_curl_version().map { unsafe String(cString: $0) } ?? "unknown"
        return BackendIdentity(name: "curl", library: "libcurl", version: "\(version) (\(tlsVersion))")
    }

    private static var tlsVersion: String {
        unsafe cprobe_curl_tls_version().map { unsafe String(cString: $0) } ?? "no TLS library"
    }
}
