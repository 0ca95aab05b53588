import CProbeCAres
import ProbeKit

/// The library itself, opened when something asks about it.
enum CAresLibrary {
    static let name = "cares"

    /// The version is the loaded library's, not the one that this was compiled against.
    static let identity: BackendIdentity = {
        let version = absence == nil ? unsafe ares_version(nil).map { unsafe String(cString: $0) } : nil
        return BackendIdentity(name: name, library: "c-ares", version: version ?? "unknown")
    }()

    /// The reason why it can't be used; nil if it can.
    static let absence = BackendAbsence(
        unsafe cprobe_cares_fault().map { unsafe String(cString: $0) }, package: "libc-ares2")

    /// The largest UDP reply that c-ares has space for (MAXENDSSZ in its sources).
    static let maximumEDNSSize: UInt16 = 4096

    /// The result of the library's one initialization; it has to precede every channel, and is not thread-safe itself.
    static let initialization = CAresStatus(rawValue: ares_library_init(ARES_LIB_INIT_ALL))
}
