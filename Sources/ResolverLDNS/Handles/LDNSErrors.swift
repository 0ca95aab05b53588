import CProbeLDNS

/// A status code of ldns, whole: its number and its own words.
struct LDNSError: Error, CustomStringConvertible {
    let status: ldns_status

    /// Turns a status that is not LDNS_STATUS_OK into an error.
    static func check(_ status: ldns_status) throws(LDNSError) {
        guard status == LDNS_STATUS_OK else { throw LDNSError(status: status) }
    }

    /// The error of a call that returns a null pointer: ldns does so only when it is out of memory.
    static let outOfMemory = LDNSError(status: LDNS_STATUS_MEM_ERR)

    var description: String {
        let words = unsafe ldns_get_errorstr_by_id(status).map { unsafe String(cString: $0) } ?? "unknown status"
        return "\(words) (ldns status \(status.rawValue))"
    }
}
