import CProbeUnbound

/// A result of libunbound.
@safe struct UnboundResult: ~Copyable {
    private let pointer: UnsafeMutablePointer<ub_result>

    /// Takes the result over.
    init(_ pointer: UnsafeMutablePointer<ub_result>) {
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe ub_resolve_free(pointer) }

    /// A copy of its content.
    var answer: UnboundAnswer {
        UnboundAnswer(
            responseCode: UInt16(truncatingIfNeeded: unsafe pointer.pointee.rcode), packet: packet, records: records,
            isSecure: unsafe pointer.pointee.secure != 0, isBogus: unsafe pointer.pointee.bogus != 0,
            reason: unsafe pointer.pointee.why_bogus.map { unsafe String(cString: $0) })
    }

    private var packet: [UInt8] {
        guard let start = unsafe pointer.pointee.answer_packet, unsafe pointer.pointee.answer_len > 0 else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(pointer.pointee.answer_len)))
    }

    /// The data of each record; a null pointer ends the list.
    private var records: [[UInt8]] {
        guard let data = unsafe pointer.pointee.data, let lengths = unsafe pointer.pointee.len else { return [] }
        var records: [[UInt8]] = []
        while let start = unsafe data[records.count] {
            let count = unsafe max(0, Int(lengths[records.count]))
            records.append(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
        }
        return records
    }
}
