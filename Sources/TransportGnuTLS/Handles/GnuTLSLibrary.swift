import CProbeGnuTLS
import ProbeKit

/// The library itself, opened when something asks about it.
enum GnuTLSLibrary {
    static let name = "gnutls"

    /// GnuTLS, with the loaded version.
    static let identity: BackendIdentity = {
        let version = absence == nil ? unsafe gnutls_check_version(nil).map { unsafe String(cString: $0) } : nil
        return BackendIdentity(name: name, library: "GnuTLS", version: version ?? "unknown")
    }()

    /// The reason why it can't be used; nil if it can, and then its clock is ours.
    static let absence: BackendAbsence? = {
        let fault = unsafe cprobe_gnutls_fault().map { unsafe String(cString: $0) }
        if fault == nil { GnuTLSVerification.installClock }
        return BackendAbsence(fault, package: "libgnutls30")
    }()
}
