import CProbeCAres
package import ProbeKit

/// The TXT strings of a reply as c-ares parses them, one node for each.
@safe package struct CAresText: ~Copyable {
    private let head: UnsafeMutablePointer<ares_txt_ext>?

    private init(parsing reply: [UInt8]) throws(CAresStatus) {
        var head: UnsafeMutablePointer<ares_txt_ext>?
        let status = CAresStatus(rawValue: unsafe ares_parse_txt_reply_ext(reply, Int32(reply.count), &head))
        unsafe self.head = unsafe head
        // No records is a reading, not an error.
        guard [.success, .noData].contains(status) else { throw status }
    }

    deinit { unsafe ares_free_data(head) }

    /// Returns c-ares' own parse of a reply.
    package static func read(_ reply: [UInt8]) -> NativeDNSReading {
        guard reply.count >= DNSHeader.size else { return .unreadable(DNSHeader.fault(of: reply)) }
        do throws(CAresStatus) {
            let responseCode = DNSAttempt.ResponseCode(rawValue: unsafe cprobe_ares_rcode(reply))
            return .parsed(rcode: responseCode, records: try CAresText(parsing: reply).records)
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// The records, joined by the mark on each record's first string.
    private var records: [[[UInt8]]] {
        var records: [[[UInt8]]] = []
        var next = unsafe head
        while let node = unsafe next {
            let string = unsafe Array(UnsafeBufferPointer(start: node.pointee.txt, count: node.pointee.length))
            if unsafe node.pointee.record_start != 0 || records.isEmpty {
                records.append([string])
            } else {
                records[records.count - 1].append(string)
            }
            unsafe next = unsafe node.pointee.next
        }
        return records
    }
}
