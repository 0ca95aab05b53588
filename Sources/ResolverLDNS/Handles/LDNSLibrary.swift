import CProbeLDNS
import ProbeKit

/// The library itself, opened when something asks about it.
enum LDNSLibrary {
    static let name = "ldns"

    /// The version is the loaded library's, not the one that this was compiled against.
    static let identity: BackendIdentity = {
        let version = absence == nil ? unsafe ldns_version().map { unsafe String(cString: $0) } : nil
        return BackendIdentity(name: name, library: "ldns", version: version ?? "unknown")
    }()

    /// The reason why it can't be used; nil if it can.
    static let absence = BackendAbsence(
        unsafe cprobe_ldns_fault().map { unsafe String(cString: $0) }, package: "libldns3")

    /// Returns true if records of a type have any number of fields.
    static func isOpenEnded(_ type: UInt16) -> Bool {
        unsafe ldns_rr_descriptor_maximum(ldns_rr_descript(type)) == UInt32.max
    }
}
