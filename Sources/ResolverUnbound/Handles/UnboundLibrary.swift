import CProbeUnbound
import ProbeKit

/// The library itself, opened when something asks about it.
enum UnboundLibrary {
    static let name = "unbound"

    /// The version is the loaded library's, not the one that this was compiled against.
    static var identity: BackendIdentity {
        absence == nil ? loaded : BackendIdentity(name: name, library: "libunbound", version: "unknown")
    }

    private static let loaded = BackendIdentity(
        name: name, library: "libunbound", version: unsafe ub_version().map { unsafe String(cString: $0) } ?? "unknown")

    /// The reason why it can't be used now; nil if it can.
    static var absence: BackendAbsence? {
        BackendAbsence(
            unsafe cprobe_unbound_fault().map { unsafe String(cString: $0) }, of: "libunbound.so.8",
            package: "libunbound8")
    }
}
