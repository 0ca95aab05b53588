import CProbeGnuTLS
import ProbeKit

/// The library itself, opened when something asks about it.
enum GnuTLSLibrary {
    static let name = "gnutls"

    /// The version is the loaded library's, not the one that this was compiled against.
    static var identity: BackendIdentity {
        absence == nil ? loaded : BackendIdentity(name: name, library: "GnuTLS", version: "unknown")
    }

    private static let loaded = BackendIdentity(
        name: name, library: "GnuTLS",
        version: unsafe gnutls_check_version(nil).map { unsafe String(cString: $0) } ?? "unknown")

    /// The reason why it can't be used now; nil if it can, and then its clock is ours.
    static var absence: BackendAbsence? {
        let fault = unsafe cprobe_gnutls_fault().map { unsafe String(cString: $0) }
        if fault == nil { setUp }
        return BackendAbsence(fault, of: "libgnutls.so.30", package: "libgnutls30")
    }

    /// Its constructor leaves the first step to us where GNUTLS_NO_IMPLICIT_INIT says so; it may be taken twice.
    private static let setUp: Void = {
        gnutls_global_init()
        GnuTLSVerification.installClock
    }()
}
