import CProbeOpenSSL
package import ProbeKit

/// The library itself, opened when something asks about it.
package enum OpenSSLLibrary {
    static let name = "openssl"

    /// OpenSSL, with the loaded version.
    static let identity: BackendIdentity = {
        let version = absence == nil ? unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) : "unknown"
        return BackendIdentity(name: name, library: "OpenSSL", version: version)
    }()

    /// The reason why it can't be used; nil if it can.
    package static let absence = BackendAbsence(
        unsafe cprobe_openssl_fault().map { unsafe String(cString: $0) }, package: "libssl3")
}
