import CProbeCurl

/// The sockets that libcurl opened for one handle, the last 16: happy eyeballs may open several at a time, and libcurl closes
/// those that lost without a word to the handle (RFC 8305 section 5).
@safe final class OpenedSockets {
    let pointer: UnsafeMutablePointer<cprobe_opened_sockets>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: cprobe_opened_sockets())
    }

    deinit {
        unsafe pointer.deallocate()
    }

    /// Keeps a socket, as libcurl's own are.
    func keep(_ socket: CInt) {
        unsafe cprobe_keep_socket(pointer, socket)
    }

    /// The socket of the connection, even if its peer has reset it; nil if all were closed.
    var connected: CInt? {
        let socket = unsafe cprobe_connected_socket(pointer)
        return socket < 0 ? nil : socket
    }

    /// The system's error if the last one could not be opened, 0 if it could.
    var error: CInt { unsafe pointer.pointee.error }
}
