import CProbeLDNS
import ProbeKit

/// The library itself, opened when something asks about it.
enum LDNSLibrary {
    static let name = "ldns"

    /// The version is the loaded library's, not the one that this was compiled against.
    static var identity: BackendIdentity {
        absence == nil ? loaded : BackendIdentity(name: name, library: "ldns", version: "unknown")
    }

    private static let loaded = BackendIdentity(
        name: name, library: "ldns", version: unsafe ldns_version().map { unsafe String(cString: $0) } ?? "unknown")

    /// The reason why it can't be used now; nil if it can.
    static var absence: BackendAbsence? {
        BackendAbsence(
            unsafe cprobe_ldns_fault().map { unsafe String(cString: $0) }, of: "libldns.so.3", package: "libldns3")
    }

    /// Returns true if records of a type have any number of fields.
    static func isOpenEnded(_ type: UInt16) -> Bool {
        unsafe ldns_rr_descriptor_maximum(ldns_rr_descript(type)) == UInt32.max
    }
}
