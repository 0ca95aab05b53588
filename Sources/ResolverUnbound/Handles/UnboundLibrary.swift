import CProbeUnbound
import ProbeKit

/// The library itself, opened when something asks about it.
enum UnboundLibrary {
    static let name = "unbound"

    /// The version is the loaded library's, not the one that this was compiled against.
    static let identity: BackendIdentity = {
        let version = absence == nil ? unsafe ub_version().map { unsafe String(cString: $0) } : nil
        return BackendIdentity(name: name, library: "libunbound", version: version ?? "unknown")
    }()

    /// The reason why it can't be used; nil if it can.
    static let absence = BackendAbsence(
        unsafe cprobe_unbound_fault().map { unsafe String(cString: $0) }, package: "libunbound8")
}
