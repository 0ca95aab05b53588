import CProbeLDNS
import ProbeKit

/// A domain name as ldns holds it.
@safe struct LDNSName: ~Copyable {
    private let pointer: UnsafeMutablePointer<ldns_rdf>

    /// Copies the name's wire form, so that no text form has to be escaped.
    init(_ name: DNSName) throws(LDNSError) {
        let bytes = name.wireBytes
        guard let pointer = unsafe ldns_rdf_new_frm_data(LDNS_RDF_TYPE_DNAME, bytes.count, bytes) else {
            throw .outOfMemory
        }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe ldns_rdf_deep_free(pointer) }

    /// Releases the name to the caller, who owns it from now on.
    consuming func release() -> UnsafeMutablePointer<ldns_rdf> {
        let pointer = unsafe pointer
        discard self
        return unsafe pointer
    }
}
