import CProbeOpenSSL
package import ProbeKit

/// The library itself, opened when something asks about it.
package enum OpenSSLLibrary {
    /// The name of the backends that are OpenSSL and nothing else.
    package static let name = "openssl"

    /// The version is the loaded library's, not the one that this was compiled against.
    package static var identity: BackendIdentity {
        absence == nil ? loaded : BackendIdentity(name: name, library: "OpenSSL", version: "unknown")
    }

    private static let loaded = BackendIdentity(
        name: name, library: "OpenSSL", version: unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)))

    /// The reason why it can't be used now; nil if it can.
    package static var absence: BackendAbsence? {
        let fault = unsafe cprobe_openssl_fault().map { unsafe String(cString: $0) }
        let library = fault.map { $0.contains("libcrypto.so.3") } == true ? "libcrypto.so.3" : "libssl.so.3"
        return BackendAbsence(fault, of: library, package: "libssl3")
    }
}
