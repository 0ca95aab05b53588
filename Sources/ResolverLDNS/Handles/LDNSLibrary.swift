import CProbeLDNS

/// The library itself.
enum LDNSLibrary {
    /// The version that is loaded, not the one this was compiled against.
    static var version: String { unsafe ldns_version().map { unsafe String(cString: $0) } ?? "unknown" }
}
