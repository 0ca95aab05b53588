import CProbeCAres
import ProbeKit
import ProbeNet
import ProbePlatform

/// The sockets of one channel: c-ares makes all its system calls here, so that every attempt can be reported.
///
/// The channel's callbacks point to it, and it belongs to one thread as the channel does.
final class CAresSockets {
    /// The events that c-ares waits for on one socket.
    struct Interest {
        var isReading = false
        var isWriting = false
    }

    /// The sockets that are open.
    private(set) var interests: [Int32: Interest] = [:]
    /// The actions on them.
    private(set) var journal: CAresJournal
    /// The reason why the last socket could not be opened.
    private(set) var opening: DNSFailure?
    /// The result of the query; nil while it runs.
    private(set) var status: CAresStatus?

    private var channels: [Int32: DNSAttempt.Channel] = [:]
    private let scope: UInt32

    init(_ order: CAresOrder) {
        scope = order.scope
        journal = CAresJournal(order)
    }

    /// Called when the library has returned: the last message, if it was not acted on, was dropped.
    func settle() {
        journal.dropPending()
    }

    // MARK: The callbacks. Each leaves errno as the system call has set it, because c-ares reads it.

    fileprivate func open(_ family: Int32, _ type: Int32, _ protocol: Int32) -> Int32 {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type | flags, `protocol`)
        let error = errno
        opening = descriptor < 0 ? DNSFailure(errorNumber: error) : nil
        if descriptor >= 0 {
            let channel: DNSAttempt.Channel = type == Int32(SOCK_STREAM.rawValue) ? .tcp : .udp
            channels[descriptor] = channel
            journal.open(descriptor, channel)
        }
        errno = error
        return descriptor
    }

    fileprivate func close(_ descriptor: Int32) -> Int32 {
        channels[descriptor] = nil
        interests[descriptor] = nil
        return ProbePlatform.close(descriptor)
    }

    fileprivate func connect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t) -> Int32 {
        let result = unsafe connect(descriptor, scoped: address, size)
        let error = errno
        journal.connect(descriptor)
        if result < 0, error != EINPROGRESS { journal.fail(descriptor, DNSFailure(errorNumber: error)) }
        errno = error
        return result
    }

    /// Connects with the order's scope: c-ares knows only an address's bytes, which are not enough for a link-local
    /// one.
    private func connect(
        _ descriptor: Int32, scoped address: UnsafePointer<sockaddr>?, _ size: socklen_t
    ) -> Int32 {
        guard scope != 0, let raw = unsafe UnsafeRawPointer(address), Int(size) >= MemoryLayout<sockaddr_in6>.size
        else { return unsafe ProbePlatform.connect(descriptor, address, size) }
        var scoped = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
        scoped.sin6_scope_id = scope
        return unsafe withUnsafeBytes(of: scoped) { bytes in
            unsafe ProbePlatform.connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
        }
    }

    fileprivate func receive(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int, _ flags: Int32,
        _ address: UnsafeMutablePointer<sockaddr>?, _ addressSize: UnsafeMutablePointer<socklen_t>?
    ) -> Int {
        journal.dropPending()
        let count = unsafe recvfrom(descriptor, buffer, size, flags, address, addressSize)
        let error = errno
        if count > 0 {
            journal.receive(descriptor, unsafe Array(UnsafeRawBufferPointer(start: buffer, count: count)))
        } else if count == 0 {
            if channels[descriptor] == .udp { journal.receive(descriptor, []) } else { journal.close(descriptor) }
        } else if error != EAGAIN {
            journal.fail(descriptor, DNSFailure(errorNumber: error))
        }
        errno = error
        return count
    }

    fileprivate func send(_ descriptor: Int32, _ pieces: UnsafePointer<iovec>?, _ count: Int32) -> Int {
        let pieces = unsafe UnsafeBufferPointer(start: pieces, count: Int(count))
        let bytes = unsafe pieces.flatMap {
            unsafe Array(UnsafeRawBufferPointer(start: $0.iov_base, count: $0.iov_len))
        }
        // Not writev: a connection that was closed must not raise SIGPIPE.
        let sent = unsafe ProbePlatform.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        let error = errno
        if sent >= 0 {
            journal.send(descriptor, Array(bytes.prefix(sent)))
        } else if error != EAGAIN {
            journal.fail(descriptor, DNSFailure(errorNumber: error))
        }
        errno = error
        return sent
    }

    fileprivate func wait(_ descriptor: Int32, _ isReading: Bool, _ isWriting: Bool) {
        interests[descriptor] =
            isReading || isWriting ? Interest(isReading: isReading, isWriting: isWriting) : nil
    }

    fileprivate func end(_ status: CAresStatus, _ reply: [UInt8]?) {
        guard self.status == nil else { return }
        self.status = status
        if let reply { journal.end(with: reply) } else { journal.dropPending() }
    }
}

/// The functions c-ares calls; the context is a ``CAresSockets`` that outlives the channel.
enum CAresCallbacks {
    /// The table has to outlive every channel, so it is never freed.
    nonisolated(unsafe) static let socketFunctions: UnsafePointer<ares_socket_functions> = {
        let table = UnsafeMutablePointer<ares_socket_functions>.allocate(capacity: 1)
        unsafe table.initialize(
            to: ares_socket_functions(
                asocket: { unsafe sockets($3)?.open($0, $1, $2) ?? -1 },
                aclose: { unsafe sockets($1)?.close($0) ?? -1 },
                aconnect: { unsafe sockets($3)?.connect($0, $1, $2) ?? -1 },
                arecvfrom: { unsafe sockets($6)?.receive($0, $1, $2, $3, $4, $5) ?? -1 },
                asendv: { unsafe sockets($3)?.send($0, $1, $2) ?? -1 }))
        return unsafe UnsafePointer(table)
    }()

    static let socketState: ares_sock_state_cb = { unsafe sockets($0)?.wait($1, $2 != 0, $3 != 0) }

    static let end: ares_callback = { context, status, _, reply, count in
        let bytes = unsafe reply.map { unsafe Array(UnsafeBufferPointer(start: $0, count: Int(count))) }
        unsafe sockets(context)?.end(CAresStatus(rawValue: status), bytes)
    }

    private static func sockets(_ context: UnsafeMutableRawPointer?) -> CAresSockets? {
        unsafe context.map { unsafe Unmanaged<CAresSockets>.fromOpaque($0).takeUnretainedValue() }
    }
}
