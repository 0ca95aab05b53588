import CProbeCAres

/// The library itself.
enum CAresLibrary {
    /// The version that is loaded, not the one this was compiled against.
    static var version: String { unsafe ares_version(nil).map { unsafe String(cString: $0) } ?? "unknown" }

    /// The largest UDP reply that c-ares has space for (MAXENDSSZ in its sources).
    static let maximumEDNSSize: UInt16 = 4096

    /// The result of the library's one initialization; it has to precede every channel, and is not thread-safe itself.
    static let initialization = CAresStatus(rawValue: ares_library_init(ARES_LIB_INIT_ALL))
}
