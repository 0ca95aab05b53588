import CProbeCAres
import ProbeKit
import ProbePlatform

/// Owns an `ares_channel` that asks one question. It belongs to one thread.
///
/// A channel is not used twice: a FORMERR reply disables EDNS for all of its later queries.
@safe final class CAresChannel {
    private let pointer: ares_channel
    /// Kept here, because the channel's callbacks point to it until the channel is destroyed.
    private let sockets: CAresSockets

    /// Sets a channel up without the machine's own configuration, and sends the first query.
    init(_ order: CAresOrder, _ sockets: CAresSockets) throws(CAresStatus) {
        let query = try CAresQuery(for: order.name, id: order.id, ednsSize: order.ednsSize)
        try CAresStatus.check(CAresLibrary.initialization.rawValue)
        self.sockets = sockets
        unsafe pointer = unsafe try Self.channel(order, context: Unmanaged.passUnretained(sockets).toOpaque())
        // Without the zone, which CAresSockets adds.
        let server = Endpoint(host: order.server.host, port: order.server.port).description
        try CAresStatus.check(unsafe ares_set_servers_ports_csv(pointer, server))
        let context = unsafe Unmanaged.passUnretained(sockets).toOpaque()
        unsafe ares_set_socket_functions(pointer, CAresCallbacks.socketFunctions, context)
        unsafe query.withBytes { unsafe ares_send(pointer, $0, $1, CAresCallbacks.end, context) }
        sockets.settle()
    }

    /// Closes every socket; a query that still runs is given up.
    deinit { unsafe ares_destroy(pointer) }

    /// The maximum time c-ares wants to wait; nil if it waits for nothing.
    var timeout: Duration? {
        var time = timeval()
        guard unsafe ares_timeout(pointer, nil, &time) != nil else { return nil }
        return .seconds(time.tv_sec) + .microseconds(time.tv_usec)
    }

    /// Lets c-ares read from and write to a socket, and handle its timeouts.
    func process(reading: Int32 = ARES_SOCKET_BAD, writing: Int32 = ARES_SOCKET_BAD) {
        unsafe ares_process_fd(pointer, reading, writing)
        sockets.settle()
    }

    private static func channel(
        _ order: CAresOrder, context: UnsafeMutableRawPointer
    ) throws(CAresStatus) -> ares_channel {
        var options = unsafe ares_options()
        // Every reply is delivered, whatever its code; and only the name itself is queried.
        unsafe options.flags = ARES_FLAG_NOCHECKRESP | ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES
        if let size = order.ednsSize {
            unsafe options.flags |= ARES_FLAG_EDNS
            unsafe options.ednspsz = Int32(size)
        }
        unsafe options.timeout = max(1, Int32(clamping: order.deadline.remaining.millisecondsRoundedUp))
        // A server that is asked again has another channel, so that each try has a socket and a port of its own.
        unsafe options.tries = 1
        unsafe options.sock_state_cb = CAresCallbacks.socketState
        unsafe options.sock_state_cb_data = context
        var mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB
        // A value set here is not looked up in files and the environment.
        mask |= ARES_OPT_DOMAINS | ARES_OPT_LOOKUPS | ARES_OPT_RESOLVCONF | ARES_OPT_NOROTATE
        if order.ednsSize != nil { mask |= ARES_OPT_EDNSPSZ }
        var lookups = Array("b".utf8CString)
        var configuration = Array("/dev/null".utf8CString)
        var channel: ares_channel?
        // c-ares copies both strings.
        let status = unsafe lookups.withUnsafeMutableBufferPointer { lookups in
            unsafe configuration.withUnsafeMutableBufferPointer { configuration in
                unsafe options.lookups = lookups.baseAddress
                unsafe options.resolvconf_path = configuration.baseAddress
                return unsafe ares_init_options(&channel, &options, mask)
            }
        }
        try CAresStatus.check(status)
        guard let channel = unsafe channel else { throw .noMemory }
        return unsafe channel
    }
}

/// A query as c-ares writes it.
@safe struct CAresQuery: ~Copyable {
    private let pointer: UnsafeMutablePointer<UInt8>
    private let count: Int32

    /// Creates a query for a name's TXT records of class IN with recursion desired.
    init(for name: DNSName, id: UInt16, ednsSize: UInt16?) throws(CAresStatus) {
        // c-ares takes a name as a C string.
        guard !name.labels.joined().contains(0) else { throw .badName }
        guard ednsSize ?? 0 <= CAresLibrary.maximumEDNSSize else { throw .badQuery }
        var pointer: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        try CAresStatus.check(
            unsafe ares_create_query(
                Self.text(of: name), Int32(DNSClass.internet), Int32(DNSType.txt), id, 1, &pointer, &count,
                Int32(ednsSize ?? 0)))
        guard let pointer = unsafe pointer else { throw .badQuery }
        unsafe self.pointer = unsafe pointer
        self.count = count
    }

    deinit { unsafe ares_free_string(pointer) }

    /// Lends the query to a call that copies it.
    func withBytes(_ body: (UnsafePointer<UInt8>, Int32) -> Void) {
        unsafe body(pointer, count)
    }

    /// Returns the name in the form c-ares reads: a backslash escapes the next byte.
    private static func text(of name: DNSName) -> [CChar] {
        let special = [UInt8(ascii: "."), UInt8(ascii: "\\")]
        let labels = name.labels.map { $0.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] } }
        return labels.joined(separator: [UInt8(ascii: ".")]).map(CChar.init(bitPattern:)) + [0]
    }
}
