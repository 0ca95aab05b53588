import CProbeUnbound
import ProbeKit

/// A context of libunbound: its settings, its caches, and the thread that works for it.
///
/// Not to be shared: libunbound's own locks let several threads in, but the mailbox has none.
@safe final class UnboundContext {
    private let pointer: OpaquePointer
    private let mailbox = UnboundMailbox()

    init() throws(UnboundError) {
        guard let pointer = unsafe ub_ctx_create() else { throw .outOfMemory("create") }
        unsafe self.pointer = unsafe pointer
    }

    /// Ends the thread and drops unanswered queries; nothing is delivered after it.
    deinit { unsafe ub_ctx_delete(pointer) }

    /// Makes the context ask one server about one name, and nothing else.
    ///
    /// The order matters: adding a zone finalizes a context, and settings made after that are refused.
    func configure(_ settings: UnboundSettings) throws(UnboundError) {
        // A null stream disables the output; libunbound writes to standard error otherwise.
        try UnboundError.check(unsafe ub_ctx_debugout(pointer, nil), "debugout")
        try UnboundError.check(unsafe ub_ctx_async(pointer, 1), "async")
        for (name, value) in settings.options {
            try UnboundError.check(unsafe ub_ctx_set_option(pointer, name + ":", value), "set_option \(name)")
        }
        for anchor in settings.anchors {
            try UnboundError.check(unsafe ub_ctx_add_ta(pointer, anchor.description), "add_ta \(anchor)")
        }
        try UnboundError.check(unsafe ub_ctx_set_fwd(pointer, settings.server), "set_fwd \(settings.server)")
        // libunbound answers for test., invalid., localhost. and private reverse zones itself. A zone of the very name is
        // closer than any of these, and this kind answers nothing.
        try UnboundError.check(
            unsafe ub_ctx_zone_add(pointer, settings.name, "always_transparent"), "zone_add \(settings.name)")
    }

    /// Sends the query for the name's records of class IN, and returns the number for cancelling it.
    func start(_ settings: UnboundSettings) throws(UnboundError) -> CInt {
        var id: CInt = 0
        // The context outlives the query: deleting it ends all queries without a call, so the mailbox is there for each.
        let address = unsafe Unmanaged.passUnretained(mailbox).toOpaque()
        let code = unsafe ub_resolve_async(
            pointer, settings.name, CInt(settings.type), 1, address, UnboundMailbox.deliver, &id)
        try UnboundError.check(code, "resolve_async")
        return id
    }

    /// Returns a descriptor that is readable when ``process()`` has something to do; it belongs to the context.
    func descriptor() throws(UnboundError) -> CInt {
        let descriptor = unsafe ub_fd(pointer)
        guard descriptor >= 0 else { throw UnboundError(code: UB_SOCKET.rawValue, call: "fd") }
        return descriptor
    }

    /// Returns a finished answer; nil if there is none yet.
    func process() throws(UnboundError) -> UnboundAnswer? {
        try UnboundError.check(unsafe ub_process(pointer), "process")
        return try mailbox.answer?.get()
    }

    /// Ends a query; it fails if the answer is already there, which is as good.
    func cancel(_ id: CInt) {
        _ = unsafe ub_cancel(pointer, id)
    }
}

/// The destination of libunbound's answer to one query.
final class UnboundMailbox {
    private(set) var answer: Result<UnboundAnswer, UnboundError>?

    /// The callback of `ub_resolve_async`; it runs within `ub_process`, and its first argument is a mailbox.
    static let deliver: ub_callback_type = { mailbox, code, result in
        guard let mailbox = unsafe mailbox else { return }
        let answer: Result<UnboundAnswer, UnboundError>
        if let result = unsafe result {
            answer = .success(unsafe UnboundResult(result).answer)
        } else {
            answer = .failure(UnboundError(code: code, call: "resolve"))
        }
        unsafe Unmanaged<UnboundMailbox>.fromOpaque(mailbox).takeUnretainedValue().answer = answer
    }
}

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
            responseCode: DNSAttempt.ResponseCode(
                rawValue: UInt16(truncatingIfNeeded: unsafe pointer.pointee.rcode)),
            packet: packet, records: records,
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
