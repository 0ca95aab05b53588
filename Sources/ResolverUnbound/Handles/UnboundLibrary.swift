import CProbeUnbound

/// The library itself.
enum UnboundLibrary {
    /// The version that is loaded, not the one this was compiled against.
    static var version: String { unsafe ub_version().map { unsafe String(cString: $0) } ?? "unknown" }
}
