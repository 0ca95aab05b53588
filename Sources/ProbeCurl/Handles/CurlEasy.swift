package import CProbeCurl
import ProbeKit
import ProbeTrust

/// Sole owner of an easy handle, of what its errors go to, and of the lists it refers to.
@safe package final class CurlEasy {
    let pointer: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    /// The sockets that libcurl opened itself.
    let opened = OpenedSockets()
    private var lists: [CurlList] = []
    private var supplied: SuppliedSocket?

    package init() throws(CurlError) {
        guard let pointer = unsafe curl_easy_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        unsafe self.pointer = pointer
        unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer))
        try Self.check(unsafe cprobe_easy_keep_sockets(pointer, opened.pointer))
    }

    deinit {
        // The handle may write to the buffer and read the lists to its end.
        unsafe curl_easy_cleanup(pointer)
        unsafe errorBuffer.deallocate()
    }

    package func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_long(pointer, option, value))
    }

    /// Sets a string option; nil for libcurl's default.
    package func set(_ option: CURLoption, _ value: String?) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_string(pointer, option, value))
    }

    package func set(_ option: CURLoption, _ values: [String]) throws(CurlError) {
        let list = try CurlList(values)
        lists.append(list)
        try Self.check(unsafe cprobe_easy_set_list(pointer, option, list.pointer))
    }

    /// Has `function` called with the `SSL_CTX` of each connection, and with `data`, which has to outlive the handle.
    package func set(
        contextFunction function:
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CURLcode,
        data: UnsafeMutableRawPointer
    ) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_context_function(pointer, function))
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, CURLOPT_SSL_CTX_DATA, data))
    }

    /// Has `function` called with the pieces of data that `option` is about, and with `data`, which has to outlive the
    /// handle.
    package func set(
        _ option: CURLoption,
        function: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int,
        _ dataOption: CURLoption, data: UnsafeMutableRawPointer
    ) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_piece_function(pointer, option, function))
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, dataOption, data))
    }

    /// Has `function` called with `data` once, before the request is sent; it decides whether the request may be sent.
    /// `data` has to outlive the handle.
    package func set(
        requestFunction function:
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, CInt, CInt
            ) -> CInt, data: UnsafeMutableRawPointer
    ) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_request_function(pointer, function))
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, CURLOPT_PREREQDATA, data))
    }

    /// Has a connected socket used instead of one of libcurl's own; libcurl closes it.
    package func use(_ take: @escaping () -> CInt?) throws(CurlError) {
        let socket = SuppliedSocket(take)
        supplied = socket
        let data = unsafe Unmanaged.passUnretained(socket).toOpaque()
        try Self.check(
            unsafe cprobe_easy_set_connected_socket_function(pointer) { data, _, _ in
                guard let data = unsafe data else { return -1 }
                return unsafe Unmanaged<SuppliedSocket>.fromOpaque(data).takeUnretainedValue().take() ?? -1
            })
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, data))
    }

    /// Has these bytes sent as the body of a POST; libcurl copies them.
    package func setPost(_ body: [UInt8]) throws(CurlError) {
        try set(CURLOPT_POSTFIELDSIZE, body.count)
        try Self.check(unsafe cprobe_easy_set_copied_body(pointer, body))
    }

    /// The HTTP status of the last response, 0 for none.
    package var httpStatus: Int {
        var value = 0
        return unsafe cprobe_easy_get_long(pointer, CURLINFO_RESPONSE_CODE, &value) == CURLE_OK ? value : 0
    }

    /// Returns the values of the last response's fields of a name, in order.
    package func fields(named name: String) -> [String] {
        var values: [String] = []
        while let value = unsafe cprobe_easy_field(pointer, name, values.count) {
            // libcurl takes the end of the line for the value if there is none.
            values.append(unsafe String(cString: value).filter { $0 != "\r" })
        }
        return values
    }

    /// The media type the last response claims, as it came.
    package var contentType: String? {
        string(CURLINFO_CONTENT_TYPE)
    }

    private func string(_ info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe cprobe_easy_get_string(pointer, info, &text) == CURLE_OK, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    /// libcurl's message for the last error; empty if it has none.
    package var errorText: String { unsafe String(cString: errorBuffer) }

    /// The system's code of the last error, 0 for none.
    package var systemError: CInt {
        var value = 0
        let isKnown = unsafe cprobe_easy_get_long(pointer, CURLINFO_OS_ERRNO, &value) == CURLE_OK && value != 0
        return isKnown ? CInt(clamping: value) : opened.error
    }

    /// OpenSSL's result of the verification of the server's certificate, 0 for an accepted or an unseen one.
    package var verifyResult: Int {
        var value = 0
        return unsafe cprobe_easy_get_long(pointer, CURLINFO_SSL_VERIFYRESULT, &value) == CURLE_OK ? value : 0
    }

    /// The socket of the connection that CURLOPT_CONNECT_ONLY left open; nil if there is none.
    var openSocket: CInt? {
        let socket = unsafe cprobe_easy_socket(pointer)
        return socket < 0 ? nil : socket
    }

    /// Waits on a connection that is being set up, and returns true as soon as the peer has sent something or ended it.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
    ///   - shouldContinue: asked at short intervals; false ends the wait.
    package func awaitPeer(for limit: Duration, while shouldContinue: () -> Bool) -> Bool {
        wait(by: cprobe_socket_has_input, for: limit, while: shouldContinue)
    }

    /// Waits until the peer has ended the connection, as far as ``awaitPeer(for:while:)`` would wait for its bytes.
    package func awaitEnd(for limit: Duration, while shouldContinue: () -> Bool) -> Bool {
        wait(by: cprobe_socket_has_ended, for: limit, while: shouldContinue)
    }

    /// The bytes that came over a connection that is being set up, and were not read from its socket.
    package var unreadBytes: Int { pendingSocket.map { Int(cprobe_socket_unread($0)) } ?? 0 }

    /// The socket of a connection that is being set up; nil if there is none.
    private var pendingSocket: CInt? {
        let socket: CInt? = if let supplied { supplied.socket } else { opened.connected }
        guard let socket, socket >= 0 else { return nil }
        return socket
    }

    private func wait(
        by poll: (CInt, CInt) -> CInt, for limit: Duration, while shouldContinue: () -> Bool
    ) -> Bool {
        guard let socket = pendingSocket else { return false }
        let (end, interval) = (ContinuousClock.now + limit, Duration.milliseconds(50))
        while shouldContinue() {
            let remaining = ContinuousClock.now.duration(to: end)
            let milliseconds = max(0, min(remaining, interval).millisecondsRoundedUp)
            let result = poll(socket, CInt(clamping: milliseconds))
            guard result == 0 else { return result > 0 }
            if remaining <= interval { return false }
        }
        return false
    }

    /// The result of reading from a connection left open.
    package enum Received {
        /// Nothing yet.
        case nothing
        /// Something inside TLS.
        case bytes
        /// The peer has closed the connection, with close_notify or without.
        case end
        /// The connection is broken, or what came is not the peer's TLS.
        case failed(CurlError)
    }

    /// Reads once over the connection that CURLOPT_CONNECT_ONLY left open.
    package func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var count = 0
        let code = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe curl_easy_recv(pointer, buffer.baseAddress, buffer.count, &count)
        }
        return switch code {
        case CURLE_OK: count > 0 ? .bytes : .end
        case CURLE_AGAIN: .nothing
        default: .failed(CurlError(code, message: errorText, systemError: systemError))
        }
    }

    /// The address that was dialled, once there was a connection.
    package var peerAddress: String? {
        string(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The presented certificates as libcurl shows them after a completed handshake, each as DER; nil for one that can't
    /// be read.
    package var certificates: [[UInt8]?] {
        guard let info = unsafe cprobe_easy_certinfo(pointer), let lists = unsafe info.pointee.certinfo else {
            return []
        }
        let count = unsafe Int(info.pointee.num_of_certs)
        return (0..<count).map { index in
            let fields = unsafe CurlList.strings(of: lists[index])
            let pem = fields.first { $0.hasPrefix("Cert:") }.map { $0.dropFirst("Cert:".count) }
            return pem.flatMap { try? CertificateFile.certificates(in: Array($0.utf8), from: "CERTINFO").first }
        }
    }

    private static func check(_ code: CURLcode) throws(CurlError) {
        guard code == CURLE_OK else { throw CurlError(code) }
    }
}

/// A socket for one connection; there is none for a second one.
private final class SuppliedSocket {
    private let source: () -> CInt?
    /// The socket, once it was taken.
    private(set) var socket: CInt?

    init(_ source: @escaping () -> CInt?) { self.source = source }

    func take() -> CInt? {
        socket = source()
        return socket
    }
}

/// Sole owner of a list of strings.
@safe final class CurlList {
    let pointer: UnsafeMutablePointer<curl_slist>?

    init(_ strings: [String]) throws(CurlError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for string in strings {
            guard let longer = unsafe curl_slist_append(list, string) else {
                unsafe curl_slist_free_all(list)
                throw CurlError(CURLE_OUT_OF_MEMORY)
            }
            unsafe list = longer
        }
        unsafe pointer = list
    }

    deinit {
        unsafe curl_slist_free_all(pointer)
    }

    /// Returns the strings of a list that libcurl owns.
    static func strings(of list: UnsafeMutablePointer<curl_slist>?) -> [String] {
        var strings: [String] = []
        var next = unsafe list
        while let item = unsafe next {
            if let data = unsafe item.pointee.data { strings.append(unsafe String(cString: data)) }
            unsafe next = item.pointee.next
        }
        return strings
    }
}
