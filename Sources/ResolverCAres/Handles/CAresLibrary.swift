import CProbeCAres
import ProbeKit

/// The library itself, opened when something asks about it.
enum CAresLibrary {
    static let name = "cares"

    /// The version is the loaded library's, not the one that this was compiled against.
    static var identity: BackendIdentity {
        absence == nil ? loaded : BackendIdentity(name: name, library: "c-ares", version: "unknown")
    }

    private static let loaded = BackendIdentity(
        name: name, library: "c-ares", version: unsafe ares_version(nil).map { unsafe String(cString: $0) } ?? "unknown"
    )

    /// The reason why it can't be used now; nil if it can.
    static var absence: BackendAbsence? {
        BackendAbsence(
            unsafe cprobe_cares_fault().map { unsafe String(cString: $0) }, of: "libcares.so.2", package: "libc-ares2")
    }

    /// The largest UDP reply that c-ares has space for (MAXENDSSZ in its sources).
    static let maximumEDNSSize: UInt16 = 4096

    /// The result of the library's one initialization; it has to precede every channel, and is not thread-safe itself.
    static let initialization = CAresStatus(rawValue: ares_library_init(ARES_LIB_INIT_ALL))
}
