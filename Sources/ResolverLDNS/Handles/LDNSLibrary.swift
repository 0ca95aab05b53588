import CProbeLDNS

/// The library itself.
enum LDNSLibrary {
    /// The version that is loaded, not the one this was compiled against.
    static var version: String { unsafe ldns_version().map { unsafe String(cString: $0) } ?? "unknown" }

    /// Returns true if records of a type have any number of fields.
    static func isOpenEnded(_ type: UInt16) -> Bool {
        unsafe ldns_rr_descriptor_maximum(ldns_rr_descript(type)) == UInt32.max
    }
}
