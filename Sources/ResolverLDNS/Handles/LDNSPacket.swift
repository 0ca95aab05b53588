import CProbeLDNS
import ProbeKit
import ProbePlatform

/// A DNS packet as ldns holds it.
@safe struct LDNSPacket: ~Copyable {
    private let pointer: UnsafeMutablePointer<ldns_pkt>

    /// Creates a query for a name's TXT records of class IN with recursion desired.
    init(queryFor name: DNSName, id: UInt16, ednsSize: UInt16?, dnssecOK: Bool) throws(LDNSError) {
        let owned = try unsafe LDNSName(name).release()
        // The packet takes ownership of the name; if it fails, the name stays ours.
        guard let pointer = unsafe ldns_pkt_query_new(owned, LDNS_RR_TYPE_TXT, LDNS_RR_CLASS_IN, UInt16(LDNS_RD)) else {
            unsafe ldns_rdf_deep_free(owned)
            throw .outOfMemory
        }
        unsafe self.pointer = unsafe pointer
        unsafe ldns_pkt_set_id(pointer, id)
        if let ednsSize { unsafe ldns_pkt_set_edns_udp_size(pointer, ednsSize) }
        if dnssecOK { unsafe ldns_pkt_set_edns_do(pointer, 1) }
    }

    /// Parses a message.
    init(wire bytes: [UInt8]) throws(LDNSError) {
        var pointer: UnsafeMutablePointer<ldns_pkt>?
        try LDNSError.check(unsafe ldns_wire2pkt(&pointer, bytes, bytes.count))
        guard let pointer = unsafe pointer else { throw .outOfMemory }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe ldns_pkt_free(pointer) }

    /// Returns the packet in wire form.
    borrowing func wireBytes() throws(LDNSError) -> [UInt8] {
        var buffer: UnsafeMutablePointer<UInt8>?
        var count = 0
        try LDNSError.check(unsafe ldns_pkt2wire(&buffer, pointer, &count))
        guard let buffer = unsafe buffer else { throw .outOfMemory }
        defer { unsafe free(buffer) }
        return unsafe Array(UnsafeBufferPointer(start: buffer, count: count))
    }

    /// The response code with the OPT record's bits; ldns keeps the two apart.
    var responseCode: DNSAttempt.ResponseCode {
        let lower = unsafe UInt16(ldns_pkt_get_rcode(pointer).rawValue)
        let upper = unsafe UInt16(ldns_pkt_edns_extended_rcode(pointer))
        return DNSAttempt.ResponseCode(rawValue: upper << 4 | lower)
    }

    /// The TXT records of the answer section, each as its character-strings' bytes.
    ///
    /// The bytes are taken raw: ldns's text form escapes them.
    var textRecords: [[[UInt8]]] {
        // The list belongs to the packet.
        guard let list = unsafe ldns_pkt_answer(pointer) else { return [] }
        var records: [[[UInt8]]] = []
        for index in 0..<(unsafe ldns_rr_list_rr_count(list)) {
            guard let record = unsafe ldns_rr_list_rr(list, index), unsafe ldns_rr_get_type(record) == LDNS_RR_TYPE_TXT
            else { continue }
            records.append((0..<(unsafe ldns_rr_rd_count(record))).map { unsafe Self.string($0, of: record) })
        }
        return records
    }

    /// Returns one character-string: a length byte and the text behind it.
    private static func string(_ index: Int, of record: UnsafePointer<ldns_rr>) -> [UInt8] {
        guard let field = unsafe ldns_rr_rdf(record, index), let data = unsafe ldns_rdf_data(field) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: data, count: ldns_rdf_size(field)).dropFirst())
    }
}

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
